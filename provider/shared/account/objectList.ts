import { once } from "node:events";
import type { Session } from "../../../framework/lifecycle";
import { type EventDatasets, isStatus, type Listing, type Token } from "../../../sdk";

/** How long a list counts as current, and how long a hook that can do without one waits for it, in milliseconds. */
export const patience = 10_000;

interface Recent<T> {
  readonly since: number;
  readonly listing: Promise<Listing<T>>;
  /** Settles when the list is there, or is not waited for any longer. */
  inTime?: Promise<void>;
}

type Clock = Pick<Session, "elapsed" | "timeout">;

/** The one list of an account's objects of a kind that all hooks of a process share. */
export class ObjectList<T extends { readonly id: string }> {
  readonly #kind: string;
  readonly #list: () => Promise<Listing<T>>;
  #recent: Recent<T> | undefined;
  #listed: ReadonlyMap<string, T> | undefined;
  /** Why the objects could not be listed; "" for a missing capability, since many access tokens have no other. */
  #problem: string | undefined;

  /** @param kind the objects in words, as in "API tokens" */
  constructor(kind: string, list: () => Promise<Listing<T>>) {
    this.#kind = kind;
    this.#list = list;
  }

  /** The listed objects, in their order. */
  get ids(): Iterable<string> {
    return this.#listed?.keys() ?? [];
  }

  /** A warning that the objects could not be listed; "": the capability is missing; undefined: nothing has failed. */
  get problem(): string | undefined {
    return this.#problem && `the ${this.#kind} cannot be listed: ${this.#problem}`;
  }

  /** Whether no list has shown yet that an object is missing. */
  mayHave(id: string): boolean {
    return this.#listed?.has(id) ?? true;
  }

  /** The objects by id, listed now or earlier; undefined: there is no list, and `problem` says why. Never throws. */
  async find(clock: Clock, maxAge = Number.POSITIVE_INFINITY): Promise<ReadonlyMap<string, T> | undefined> {
    if (this.#problem !== undefined) return undefined;
    const recent = this.#listRecently(clock, maxAge);
    recent.inTime ??= this.#await(clock, recent.listing);
    await recent.inTime;
    return this.#problem === undefined ? this.#listed : undefined;
  }

  /** @throws ApiError if there is no list */
  get(clock: Pick<Session, "elapsed">, maxAge = patience): Promise<Listing<T>> {
    return this.#listRecently(clock, maxAge).listing;
  }

  /** Waits no longer for a list that takes this long. If it arrives later, it counts again. */
  async #await(session: Clock, listing: Promise<unknown>): Promise<void> {
    const late = once(session.timeout(patience), "abort").then(() => Promise.reject(new Error("no response in time")));
    await Promise.race([listing, late]).catch((failure: Error) => {
      this.#problem = isStatus(failure, 403) ? "" : failure.message;
    });
  }

  #listRecently({ elapsed }: Pick<Session, "elapsed">, maxAge: number): Recent<T> {
    const recent = this.#recent;
    if (recent !== undefined && elapsed() - recent.since < maxAge) return recent;
    const listing = this.#list().then((objects) => {
      this.#listed = new Map(objects.map((object) => [object.id, object]));
      this.#problem = undefined;
      return objects;
    });
    // A failure counts as long: in an outage not every object asks again.
    this.#recent = { since: elapsed(), listing };
    return this.#recent;
  }
}

/** A token without an expiry lives longest. */
const endOf = ({ expiresAt = "" }: Token): number => Date.parse(expiresAt) || Number.MAX_VALUE;

/** The tokens of an account, those that live longest first. */
export const listTokens = (client: EventDatasets) =>
  new ObjectList<Token>("API tokens", async () => {
    const listing = await client.tokens.list();
    const sorted = listing.toSorted((a, b) => endOf(b) - endOf(a) || (a.id < b.id ? -1 : 1));
    return Object.assign(sorted, { odd: listing.odd });
  });
