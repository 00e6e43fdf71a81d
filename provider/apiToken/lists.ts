import type { Session } from "../../framework/lifecycle";
import { type EventDatasets, isStatus, type Listing, type Token } from "../../sdk";

/** The number of lookups by id before a list: an account can have many more tokens than a stack. */
const lookupsBeforeList = 10;
/** How long a list counts as current, in milliseconds. */
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
  /** A token that a list lacks may be newer than the list. */
  #hasCreated = false;
  /** A list failed: lookups go on by id. */
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
   * A token in a list that many lookups share. It is the same object as in the response by id (documented interface, 4.2 and
   * 4.3). Undefined: look the token up by its id.
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

  /** A lister that confirms with one list that many tokens are gone. A list that still shows the token is not reused. */
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

  /**
   * Of these tokens, which are older than this process, those that are gone for certain: a list lacks them, and a lookup does not
   * find them. Never throws.
   */
  async findGone(session: Pick<Session, "timeout">, ids: readonly string[]): Promise<ReadonlySet<string>> {
    const listed = ids.length > 0 ? await this.ids(session) : undefined;
    const missing = listed === undefined ? [] : ids.filter((id) => !listed.has(id));
    // Only the record gets shorter by this: the create does not wait long for it, and a later one asks about the rest.
    const lookups = missing.slice(0, lookupsBeforeList).map((id) =>
      this.#client.tokens.get(id, { signal: session.timeout(patience) }).then(
        () => [],
        (failure) => (isStatus(failure, 404) ? [id] : []),
      ),
    );
    return new Set((await Promise.all(lookups)).flat());
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

const indexTokens = (listing: Listing<Token>): ReadonlyMap<string, Token> =>
  new Map(listing.filter(({ odd }) => odd === undefined).map((token) => [token.id, token]));
