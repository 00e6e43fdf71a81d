import { once } from "node:events";
import type { Session } from "../../../framework/lifecycle";
import { isStatus, type Listing, orGone } from "../../../sdk";

/** How long a list counts as current, and how long a hook that can do without one waits for it, in milliseconds. */
export const patience = 10_000;

interface Recent<T> {
  readonly since: number;
  readonly listing: Promise<Listing<T>>;
  /** Settles when the list is there, or is not waited for any longer. */
  inTime?: Promise<void>;
}

type Clock = Pick<Session, "elapsed" | "timeout">;

/** The client's operations on the objects of a kind. */
interface Source<T> {
  list(): Promise<Listing<T>>;
  get(id: string): Promise<T>;
}

/** The list of an account's objects of a kind, which all hooks of a process share. */
export class ObjectList<T extends { readonly id: string }> {
  readonly #kind: string;
  readonly #source: Source<T>;
  readonly #order: (a: T, b: T) => number;
  #recent: Recent<T> | undefined;
  #listed: ReadonlyMap<string, T> | undefined;
  readonly #missed = new Set<string>();
  #isAtEnd = false;
  /** Why the objects could not be listed; "" for a missing capability, since many access tokens have no other. */
  #problem: string | undefined;

  /**
   * @param kind the objects in words, as in "API tokens"
   * @param order of `ids`; without one, that of the service
   */
  constructor(kind: string, source: Source<T>, order: (a: T, b: T) => number = () => 0) {
    this.#kind = kind;
    this.#source = source;
    this.#order = order;
  }

  /** The ids of the listed objects, in the order of the list. */
  get ids(): Iterable<string> {
    return this.#listed?.keys() ?? [];
  }

  /** A warning that the objects could not be listed; "": the capability is missing; undefined: nothing has failed. */
  get problem(): string | undefined {
    return this.#problem && `the ${this.#kind} cannot be listed: ${this.#problem}`;
  }

  /** Whether no list so far has shown that an object is missing. */
  mayHave(id: string): boolean {
    if (this.#listed?.has(id) === false) this.#missed.add(id);
    return !this.#missed.has(id);
  }

  /** The objects by id, listed now or earlier; undefined if there is no list, and then `problem` says why. Never throws. */
  async find(clock: Clock, maxAge = Number.POSITIVE_INFINITY): Promise<ReadonlyMap<string, T> | undefined> {
    if (this.#problem !== undefined) return undefined;
    const recent = this.#listRecently(clock, maxAge);
    recent.inTime ??= this.#await(clock, recent.listing);
    await recent.inTime;
    return this.#problem === undefined ? this.#listed : undefined;
  }

  /**
   * Like `find`, for deletions: the engine deletes at the end of an update, and an earlier list can be out of date, because
   * another provider of the program has its own process. `deleteBeforeReplace` deletes earlier, before others create.
   */
  findAtEnd(clock: Clock): Promise<ReadonlyMap<string, T> | undefined> {
    const maxAge = this.#isAtEnd ? undefined : 0;
    this.#isAtEnd = true;
    return this.find(clock, maxAge);
  }

  /** Notes that the update is not at its end. */
  goOn(): void {
    this.#isAtEnd = false;
  }

  /** Whether a lookup by id says that there is no such object. A failure says nothing. */
  async isMissing(id: string): Promise<boolean> {
    const found = await orGone(this.#source.get(id)).catch(() => "not known");
    return found === undefined;
  }

  /**
   * Confirms with a list that an object that was not found by its id is gone.
   * @param object its words in an error
   * @throws Error if the list has it, or could have it; ApiError if there is no list
   */
  async confirmAbsent(clock: Pick<Session, "elapsed">, id: string, object: string): Promise<void> {
    const isIn = (listing: Listing<T>) => listing.some((listed) => listed.id === id);
    const recent = await this.#listRecently(clock, patience).listing;
    const listing = isIn(recent) ? await this.#listRecently(clock, 0).listing : recent;
    const doubt = isIn(listing)
      ? "still lists it"
      : listing.odd.some((entry) => entry.id === undefined) && "its list contains entries without a usable id";
    if (doubt)
      throw new Error(
        `The service responds "not found" for ${object}, but ${doubt}, so ${object} is not treated as deleted. Try again later.`,
      );
  }

  /** Stops waiting for a list after `patience`. A list that arrives later is still used. */
  async #await(session: Clock, listing: Promise<unknown>): Promise<void> {
    const late = once(session.timeout(patience), "abort").then(() => Promise.reject(new Error("no response in time")));
    await Promise.race([listing, late]).catch((failure: Error) => {
      this.#problem = isStatus(failure, 403) ? "" : failure.message;
    });
  }

  #listRecently({ elapsed }: Pick<Session, "elapsed">, maxAge: number): Recent<T> {
    const recent = this.#recent;
    if (recent !== undefined && elapsed() - recent.since < maxAge) return recent;
    const listing = this.#source.list().then((objects) => {
      this.#listed = new Map(objects.toSorted(this.#order).map((object) => [object.id, object]));
      this.#problem = undefined;
      return objects;
    });
    // A failure counts as long: in an outage not every object asks again.
    this.#recent = { since: elapsed(), listing };
    return this.#recent;
  }
}
