import { asJson, canonicalText, changedKeys } from "./compare";
import type { Hints } from "./identity";
import { repeatedFailure } from "./incomplete";
import { isUncertain, type PlannedChange, type Replaced } from "./lifecycle";

type Inputs = Readonly<Record<string, unknown>>;

const findChanged = (among: Inputs, a: Inputs, b: Inputs): string[] =>
  changedKeys(Object.fromEntries(Object.keys(among).map((key) => [key, asJson])), a, b);

/** Keys distinguish resources of a kind, ids distinguish objects of a kind. */
export const scopeOf = (kind: string, name: unknown): string => `${kind} ${name}`;

const recordedBy = (resource: string, object: string): string => JSON.stringify([resource, object]);

/**
 * Everything that this process has seen of the current update, because the engine tells a hook nothing about the other hooks.
 * It ends with the process, so every hook must be right without it.
 */
export class Update {
  /** Creates and updates that are running, or whose outcome is unknown. */
  readonly #attempts = new Map<string, Promise<unknown>>();
  /** The inputs of each resource, from its last check. */
  readonly #declared = new Map<string, object>();
  /** The inputs of each resource that a policy pack set after the check. */
  readonly #remediated = new Map<string, Inputs>();
  /** The resource that has each object. */
  readonly #owners = new Map<string, string>();
  /** The object of each resource, until its next create succeeds. */
  readonly #current = new Map<string, Replaced>();
  /** The plan for each object, and who made it. Keyed by the object and its recorded key, which an alias can change. */
  readonly #planned = new Map<string, { readonly by: string; readonly planned: unknown }>();
  readonly #kept = new Set<string>();
  readonly #ending = new Set<string>();
  readonly #shown = new Set<string>();

  /** Records that `check` saw a resource. Only then does a diff belong to an update, because a refresh also calls `diff`. */
  declare(resource: string, inputs: object): void {
    this.#declared.set(resource, inputs);
  }

  /** The inputs of the resources of a kind that this update has checked so far. */
  listDeclared(kind: string): readonly object[] {
    return [...this.#declared].flatMap(([resource, inputs]) =>
      resource.startsWith(scopeOf(kind, "")) ? [inputs] : [],
    );
  }

  isDeclared(resource: string): boolean {
    return this.#declared.has(resource);
  }

  /** Whether a message is new: the engine checks a replaced resource twice. */
  isNew(message: string): boolean {
    if (this.#shown.has(message)) return false;
    this.#shown.add(message);
    return true;
  }

  /**
   * Claims an object for a resource.
   * @returns false if another resource of this update has it
   */
  claim(object: string, resource: string): boolean {
    const owner = this.#owners.get(object) ?? resource;
    this.#owners.set(object, owner);
    return owner === resource;
  }

  /** Records, for a resource, an object that a create or update returned, or that a diff does not change. */
  noteKept(object: string, resource: string): void {
    this.claim(object, resource);
    this.#kept.add(object);
  }

  /** Records that an object was replaced after all: a program can force this although the diff found no change. */
  noteReplaced(object: string): void {
    this.#kept.delete(object);
  }

  /** Records an object that is replaced or deleted. */
  noteEnding(id: string): void {
    this.#ending.add(id);
  }

  isEnding(id: string): boolean {
    return this.#ending.has(id);
  }

  /** Whether an object must stay: this process made or kept it, or a resource other than this one and the planner has it. */
  isInUse(object: string, resource: string): boolean {
    const owner = this.#owners.get(object) ?? resource;
    const isPlanner = owner === this.#planned.get(recordedBy(resource, object))?.by;
    return this.#kept.has(object) || (owner !== resource && !isPlanner);
  }

  /**
   * Sends a create or an update. An `onError` hook of the program can make the engine repeat a hook. If the first
   * run left an object behind, or its outcome is not known, the repeated run fails in the same way.
   */
  async once<T>(resource: string, inputs: object, send: () => Promise<T>): Promise<T> {
    const attempt = JSON.stringify([resource, canonicalText(asJson, inputs)]);
    const before = this.#attempts.get(attempt);
    if (before)
      return (await before.catch((failure) => {
        throw repeatedFailure(failure);
      })) as T;
    const sent = send();
    this.#attempts.set(attempt, sent);
    const forget = () => this.#attempts.delete(attempt);
    sent.then(forget, (failure) => isUncertain(failure) || forget());
    return await sent;
  }

  /** Records a diff of a declared resource: its object, and the plans for it and for other objects. */
  noteDiff(
    kind: string,
    resource: string,
    { id, state }: Replaced<Partial<Hints>>,
    { plans = {}, recordedAs = {}, replaces }: Pick<PlannedChange, "plans" | "recordedAs" | "replaces">,
  ): void {
    this.notePlans(kind, resource, state, { [id]: undefined, ...plans }, recordedAs);
    if (replaces.length > 0) this.noteEnding(id);
    this.#current.set(resource, { id, state, planned: plans[id] });
  }

  /** Records the plans for objects that a resource has recorded in its state. */
  notePlans(
    kind: string,
    resource: string,
    { key }: Partial<Hints>,
    plans: Readonly<Record<string, unknown>> = {},
    recordedAs: Readonly<Record<string, string>> = {},
  ): void {
    for (const [object, planned] of Object.entries(plans))
      this.#planned.set(recordedBy(scopeOf(kind, recordedAs[object] ?? key), scopeOf(kind, object)), {
        by: resource,
        planned,
      });
  }

  /** The object that the next create of a resource replaces; undefined if no diff saw it. */
  findReplaced(resource: string): Replaced | undefined {
    return this.#current.get(resource);
  }

  /** The plan for an object. Plans of other resources that once had it do not count. */
  findPlanned(object: string, resource: string): unknown {
    return this.#planned.get(recordedBy(resource, object))?.planned;
  }

  /**
   * Records the inputs of a diff of a declared resource.
   * @returns the keys of those that a policy pack changed since the check
   */
  noteRemediated(resource: string, inputs: Inputs): string[] {
    const checked = this.#declared.get(resource) as Inputs;
    const changed = findChanged({ ...checked, ...inputs }, checked, inputs);
    this.#remediated.set(resource, Object.fromEntries(changed.map((key) => [key, inputs[key]])));
    return changed;
  }

  /**
   * The inputs that a policy pack changed, and that no longer have the values that it set. Before a replacement the engine
   * checks the inputs of the program again, without the policy pack, and creates the new object from these inputs.
   */
  findLostRemediations(resource: string, inputs: Inputs): string[] {
    const remediated = this.#remediated.get(resource) ?? {};
    return findChanged(remediated, remediated, inputs);
  }
}
