import { RetryPolicy } from "../../sdk/retry";

/** What a replacement takes the place of. */
export interface Predecessor<State> {
  readonly id: string;
  readonly state: State;
}

/**
 * What this process has seen of the update under way. Hooks are not told their resource, so what one hook has to tell
 * another of the same resource goes by the key that the resource was declared with.
 */
export class Ledger {
  /** What may be undone and made again beyond the first time of each: a budget for all of the update. */
  readonly remakes = new RetryPolicy();
  readonly #holders = new Map<string, string>();
  /** What comparisons were to keep: by its holder, the recorded states by their ids. */
  readonly #kept = new Map<string, Map<string, object>>();
  readonly #predecessors = new Map<string, Predecessor<object> | undefined>();
  readonly #replaced = new Set<string>();
  readonly #unsure = new Map<string, Error>();

  /**
   * Notes that a resource manages an object from now on, or goes on to.
   * @param state what is recorded of it, where the resource has it already
   * @returns whether no other resource of this update does
   */
  claim(id: string, holder: string, state?: object): boolean {
    const other = this.#holders.get(id);
    if (other !== undefined && other !== holder) return false;
    this.#holders.set(id, holder);
    if (state) this.#kept.set(holder, (this.#kept.get(holder) ?? new Map<string, object>()).set(id, state));
    return true;
  }

  /**
   * Notes that a resource made an object, so that it has done with those that its comparison was to keep: the engine makes a
   * replacement of a change in place where `replaceOnChanges` says so, and tells no hook.
   * @returns the ids of those
   */
  noteSuccessor(key: string | undefined): readonly string[] {
    const left = [...((key !== undefined && this.#kept.get(key)) || [])];
    for (const [id, state] of left) this.noteReplacement(key, { id, state });
    return left.map(([id]) => id);
  }

  /** The resource whose comparison was to keep an object, and what is recorded of it. */
  findKept<State>(id: string): { readonly holder: string; readonly state: State } | undefined {
    const holder = this.#holders.get(id);
    const state = holder === undefined ? undefined : this.#kept.get(holder)?.get(id);
    return holder === undefined || state === undefined ? undefined : { holder, state: state as State };
  }

  /** Whether a resource of this update manages an object, so that nobody else may delete it. */
  isClaimed(id: string): boolean {
    return this.#holders.has(id);
  }

  /** Notes that the next create of a resource takes the place of an object. */
  noteReplacement(key: string | undefined, predecessor: Predecessor<object>): void {
    this.#replaced.add(predecessor.id);
    if (this.#holders.get(predecessor.id) === (key ?? predecessor.id)) this.#holders.delete(predecessor.id);
    if (key === undefined) return;
    this.#kept.get(key)?.delete(predecessor.id);
    const noted = this.#predecessors.has(key) ? this.#predecessors.get(key) : predecessor;
    // Two objects under one key: it is not known whose place is taken, and nothing is guessed.
    this.#predecessors.set(key, noted?.id === predecessor.id ? predecessor : undefined);
  }

  /** The object whose place a resource's create takes, if there is one and it is known. */
  findPredecessor<State>(key: string | undefined): Predecessor<State> | undefined {
    return key === undefined ? undefined : (this.#predecessors.get(key) as Predecessor<State> | undefined);
  }

  /** Whether a resource of this update replaces an object. */
  isReplaced(id: string): boolean {
    return this.#replaced.has(id);
  }

  /** Notes that it is not known what a create came to, or that what it made cannot be used. */
  noteUnsure(create: string, failure: Error): void {
    this.#unsure.set(create, failure);
  }

  /** How a create ended before, if it is not known what it came to. */
  findUnsure(create: string): Error | undefined {
    return this.#unsure.get(create);
  }
}
