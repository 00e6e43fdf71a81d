import type { Session } from "../../framework/lifecycle";
import type { EventDatasets, Listing, Token } from "../../sdk";

/**
 * So many tokens are looked up one by one before a list is worth it: an account can have many more than a stack. It is about
 * as many as the engine asks for at once.
 */
const lookupsBeforeList = 10;
/** For how long a list counts as what the service has now, in milliseconds. */
const lifetime = 10_000;
/** How long a hook that can do without a list waits for it, in milliseconds. */
const patience = 10_000;

interface Recent {
  readonly since: number;
  readonly listing: Promise<Listing<Token>>;
  /** The tokens that could be read whole, by id; made at the first lookup. */
  byId?: Promise<ReadonlyMap<string, Token>>;
}

/** The lists of tokens that the hooks of one process share: the one cache of them. */
export class TokenLists {
  readonly #client: EventDatasets;
  #lookups = 0;
  #recent: Recent | undefined;
  /** Something was created: a token that no list shows may be newer than the list. */
  #hasCreated = false;
  /** A list failed: whoever needs one asks again, and lookups do without. */
  #hasFailed = false;
  #known: Promise<ReadonlySet<string> | undefined> | undefined;

  constructor(client: EventDatasets) {
    this.#client = client;
  }

  /** To be called before a token is created. */
  noteCreate(): void {
    this.#hasCreated = true;
    this.#recent = undefined;
  }

  /**
   * A token as a list shows it that other lookups share: a refresh of many tokens takes one request in place of many. The
   * list holds the same token objects as the responses by id (documented interface, 4.2 and 4.3). A difference in it is
   * looked up by id before it is believed.
   * @returns undefined: look the token up by its id, as always if the list lacks it, or has it incomplete
   */
  find(session: Pick<Session, "elapsed" | "timeout">, id: string): Promise<Token | undefined> | undefined {
    this.#lookups += 1;
    if (this.#lookups <= lookupsBeforeList || this.#hasFailed) return undefined;
    const recent = this.#ask(session);
    recent.byId ??= Promise.race([recent.listing.then(indexTokens), rejectOn(session.timeout(patience))]);
    return recent.byId.then(
      (tokens) => tokens.get(id),
      () => {
        this.#hasFailed = true;
        return undefined;
      },
    );
  }

  /**
   * A lister to confirm that a token is gone. If many are gone, one list says so of all of them, unless this process created
   * tokens; one that still shows the token is asked for again.
   */
  confirm = (session: Pick<Session, "elapsed" | "timeout">, id: string) => ({
    list: async (): Promise<Listing<Token>> => {
      if (this.#hasCreated) return this.#client.tokens.list();
      const listing = await this.#ask(session).listing;
      return listing.some((token) => token.id === id) ? this.#client.tokens.list() : listing;
    },
  });

  /** All ids, asked for once; undefined: they are not known. A list that fails is reported by the hook that needs it. */
  ids(session: Pick<Session, "timeout">): Promise<ReadonlySet<string> | undefined> {
    this.#known ??= this.#client.tokens.list({ signal: session.timeout(patience) }).then(
      (listed) => (listed.odd.some(({ id }) => id === undefined) ? undefined : new Set(listed.map(({ id }) => id))),
      () => undefined,
    );
    return this.#known;
  }

  #ask({ elapsed }: Pick<Session, "elapsed">): Recent {
    const recent = this.#recent;
    if (recent !== undefined && elapsed() - recent.since < lifetime) return recent;
    const fresh: Recent = { since: elapsed(), listing: this.#client.tokens.list() };
    this.#recent = fresh;
    fresh.listing.catch(() => {
      if (this.#recent === fresh) this.#recent = undefined;
    });
    return fresh;
  }
}

const rejectOn = (signal: AbortSignal): Promise<never> =>
  new Promise((_, reject) => {
    signal.addEventListener("abort", () => reject(signal.reason), { once: true });
  });

function indexTokens(listing: Listing<Token>): ReadonlyMap<string, Token> {
  const tokens = new Map<string, Token>();
  for (const token of listing) {
    if (token.odd === undefined) tokens.set(token.id, token);
  }
  return tokens;
}
