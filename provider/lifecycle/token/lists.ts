import type { EventDatasets, Listing, Token } from "../../../sdk";
import type { Session } from "../contract";

/**
 * So many tokens are looked up one by one before a list is worth it: an account can have many more than a stack. It is about as
 * many as the engine asks for at once.
 */
const lookupsBeforeList = 10;
/** For how long a list counts as what the service has now, in milliseconds. */
const lifetime = 10_000;
/** How long lookups wait for a list, in milliseconds; after that they go on one by one. */
const patience = 10_000;

interface Recent {
  readonly since: number;
  readonly listing: Promise<Listing<Token>>;
  /** The tokens that are listed once and could be read whole, by id; made at the first lookup. */
  byId?: Promise<ReadonlyMap<string, Token>>;
}

/** What a process remembers of the tokens of one client. */
interface Memory {
  lookups: number;
  recent?: Recent;
  /** Something was created: what a list does not show may be newer than the list. */
  hasCreated: boolean;
  /** A list failed: whoever needs one asks again, and lookups do without. */
  hasFailed: boolean;
}

const memories = new WeakMap<EventDatasets, Memory>();

function memoryOf(client: EventDatasets): Memory {
  const memory = memories.get(client) ?? { lookups: 0, hasCreated: false, hasFailed: false };
  memories.set(client, memory);
  return memory;
}

/** To be called before a token is created. */
export function noteCreate({ client }: Session): void {
  const memory = memoryOf(client);
  memory.hasCreated = true;
  delete memory.recent;
}

/**
 * A token as a list shows it that other lookups share: a refresh of many tokens takes one request in place of many. The
 * list holds the same token objects as the answers by id (documented interface, 4.2 and 4.3).
 * What differs in it is looked up by its id before it is believed.
 * @returns undefined: to be looked up by its id, which a token that is not in the list, or not whole in it, always is
 */
export function findListed(session: Session, id: string): Promise<Token | undefined> | undefined {
  const memory = memoryOf(session.client);
  memory.lookups += 1;
  if (memory.lookups <= lookupsBeforeList || memory.hasFailed) return undefined;
  const recent = recentList(session, memory);
  recent.byId ??= Promise.race([recent.listing.then(indexTokens), rejectOn(session.timeout(patience))]);
  return recent.byId.then(
    (tokens) => tokens.get(id),
    () => {
      memory.hasFailed = true;
      return undefined;
    },
  );
}

/**
 * What confirms that a token is gone: a list that has not got it. Where many are gone, one list says so of all of them, unless
 * this process made tokens; one that still shows the token is asked for again.
 */
export const listerFor = (session: Session, id: string) => ({
  async list(): Promise<Listing<Token>> {
    const { client } = session;
    const memory = memoryOf(client);
    if (memory.hasCreated) return client.tokens.list();
    const listing = await recentList(session, memory).listing;
    return listing.some((token) => token.id === id) ? client.tokens.list() : listing;
  },
});

function recentList({ client, elapsed }: Session, memory: Memory): Recent {
  const { recent } = memory;
  if (recent !== undefined && elapsed() - recent.since < lifetime) return recent;
  const fresh: Recent = { since: elapsed(), listing: client.tokens.list() };
  memory.recent = fresh;
  fresh.listing.catch(() => {
    if (memory.recent === fresh) delete memory.recent;
  });
  return fresh;
}

const rejectOn = (signal: AbortSignal): Promise<never> =>
  new Promise((_, reject) => {
    signal.addEventListener("abort", () => reject(signal.reason), { once: true });
  });

function indexTokens(listing: Listing<Token>): ReadonlyMap<string, Token> {
  const tokens = new Map<string, Token>();
  const unclear = new Set<string>();
  for (const token of listing) {
    if (tokens.has(token.id) || token.odd !== undefined) unclear.add(token.id);
    tokens.set(token.id, token);
  }
  for (const id of unclear) tokens.delete(id);
  return tokens;
}
