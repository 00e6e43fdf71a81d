import { Attempts } from "./attempts";
import { asJson, changedKeys } from "./compare";
import { Notes } from "./notes";

/** An object with its recorded state. */
export interface Managed<State = object> {
  readonly id: string;
  readonly state: State;
}

/** A resource, as far as this process has seen it. */
interface Resource {
  /** By id, the objects that it claimed: the recorded state, or undefined for one that it does not manage yet. */
  readonly held: Map<string, object | undefined>;
  /** The recorded states of the objects that it replaces, by id. */
  readonly predecessors: Map<string, object>;
  successor?: Managed;
  /** An object that was left alone when it was deleted, before its successor existed. */
  abandoned?: Managed;
}

type Inputs = Readonly<Record<string, unknown>>;

const findChanged = (among: Inputs, a: Inputs, b: Inputs): string[] =>
  changedKeys(Object.fromEntries(Object.keys(among).map((key) => [key, asJson])), a, b);

/** Keys tell resources of one kind apart. */
export const scopeOf = (kind: string, key: unknown): string => `${kind} ${key}`;

/**
 * Everything that this process has seen and done of the current update: one object for all hooks, since the engine tells
 * a hook nothing about the others. It ends with the process: a later update knows only the records of objects.
 */
export class Update {
  /** Notes that the other processes of this update see. */
  readonly notes: Notes;
  readonly attempts = new Attempts();
  readonly #declared = new Map<string, object>();
  /** By scope, the inputs that a policy pack changed between the check and the diff, with its values. */
  readonly #remediated = new Map<string, Inputs>();
  readonly #resources = new Map<string, Resource>();
  /** By id, the resource that holds an object. */
  readonly #holders = new Map<string, string>();
  /** By id, the resources that replace an object. */
  readonly #replacing = new Map<string, Set<string>>();
  /** By id, then by the resource that decided. */
  readonly #fates = new Map<string, Map<string, object>>();
  readonly #shown = new Set<string>();

  /** @param engine the engine's address, which all processes of one update share; undefined: this process is alone */
  constructor(engine?: string, notes = new Notes(engine)) {
    this.notes = notes;
  }

  /** Notes that `check` saw a resource: only then does a diff belong to an update. A refresh calls diff, too. */
  declare(scope: string, inputs: object): void {
    this.#declared.set(scope, inputs);
  }

  isDeclared(scope: string): boolean {
    return this.#declared.has(scope);
  }

  /**
   * The inputs that the program declares in this update, if it declares the resource. The engine deletes an object of a declared
   * resource only to replace it.
   */
  findDeclared<Declared>(kind: string, key: string): Declared | undefined {
    return this.#declared.get(scopeOf(kind, key)) as Declared | undefined;
  }

  /**
   * Notes the inputs of a diff.
   * @returns the keys of those that a policy pack changed since the check
   */
  noteRemediated(scope: string, inputs: Inputs): string[] {
    const checked = (this.#declared.get(scope) ?? inputs) as Inputs;
    const changed = findChanged({ ...checked, ...inputs }, checked, inputs);
    this.#remediated.set(scope, Object.fromEntries(changed.map((key) => [key, inputs[key]])));
    return changed;
  }

  /**
   * The inputs that a policy pack changed, and that are not as it left them. Before a replacement the engine checks the inputs
   * of the program again, without the policy pack, and creates the new object from those.
   */
  findLostRemediations(scope: string, inputs: Inputs): string[] {
    const remediated = this.#remediated.get(scope) ?? {};
    return findChanged(remediated, remediated, inputs);
  }

  /** Whether a message is new: the engine checks a replaced resource twice. */
  isNew(message: string): boolean {
    if (this.#shown.has(message)) return false;
    this.#shown.add(message);
    return true;
  }

  /**
   * Claims an object for a resource.
   * @param state what is recorded of it, if the resource has it already
   * @returns false if another resource of this update has it
   */
  claim(id: string, key: string, state?: object): boolean {
    if ((this.#holders.get(id) ?? key) !== key) return false;
    this.#holders.set(id, key);
    const { held } = this.#resourceOf(key);
    held.set(id, state ?? held.get(id));
    return true;
  }

  /** Whether a resource of this process has claimed an object. */
  isHeld(id: string): boolean {
    return this.#holders.has(id);
  }

  /** Whether a resource has claimed another object than this one. */
  hasOther(key: string, id: string): boolean {
    return [...this.#resourceOf(key).held.keys()].some((other) => other !== id);
  }

  /**
   * Whether a resource of this update manages an object, so that nobody else may delete it.
   * @throws Error if the notes of other processes cannot be read
   */
  isManaged(id: string): boolean {
    return this.findKept(id) !== undefined || this.notes.has(id);
  }

  /**
   * Whether a resource claimed an object that it does not manage: its adoption failed, or has not begun.
   * @throws Error if the notes of other processes cannot be read
   */
  isAwaited(id: string): boolean {
    return this.isHeld(id) && !this.isManaged(id);
  }

  /** The resource whose diff decided to keep an object, with the recorded state. */
  findKept<State>(id: string): { readonly key: string; readonly state: State } | undefined {
    const key = this.#holders.get(id);
    const state = key === undefined ? undefined : this.#resourceOf(key).held.get(id);
    return key === undefined || state === undefined ? undefined : { key, state: state as State };
  }

  /** Notes that the next create of a resource replaces an object. The resource gives it up. */
  replace(key: string, { id, state }: Managed): void {
    if (this.#resourceOf(key).held.delete(id)) this.#holders.delete(id);
    this.#notePredecessor(key, { id, state });
  }

  /**
   * Notes that a resource has a new object, which no other resource of this update can take over. It gives up the objects
   * that its diff kept: the engine makes a replacement of a change in place where `--replace` or `replaceOnChanges` says so,
   * and tells no hook.
   */
  succeed(key: string, successor: Managed): void {
    this.yieldKept(key);
    this.claim(successor.id, key, successor.state);
    this.#resourceOf(key).successor = successor;
  }

  /** Makes predecessors of the objects that a diff kept: their resource has another one now. */
  yieldKept(key: string): void {
    for (const kept of this.#listKept(key)) {
      this.replace(key, kept);
      this.notes.remove(kept.id, key);
    }
  }

  /**
   * Notes that an object was left alone when its resource was deleted. With `--replace` and `deleteBeforeReplace` the engine
   * deletes before it creates, and calls no diff: only a create under the same key shows that it was a replacement.
   */
  abandon(key: string, object: Managed): void {
    this.#notePredecessor(key, object);
    this.#resourceOf(key).abandoned = object;
  }

  findAbandoned<State>(key: string): Managed<State> | undefined {
    return this.#resourceOf(key).abandoned as Managed<State> | undefined;
  }

  /** The object that a resource's create replaces, if there is exactly one. */
  findPredecessor<State>(key: string): Managed<State> | undefined {
    const [first, ...more] = this.#resourceOf(key).predecessors;
    return first && more.length === 0 ? { id: first[0], state: first[1] as State } : undefined;
  }

  /** The object that a resource has until its create succeeds, if there is exactly one. */
  findCurrent<State>(key: string): Managed<State> | undefined {
    const kept = this.#listKept(key);
    const own = kept.length === 1 ? (kept[0] as Managed<State>) : undefined;
    return this.findPredecessor<State>(key) ?? own;
  }

  /** The object that a resource created in this update. */
  findSuccessor<State>(key: string): Managed<State> | undefined {
    return this.#resourceOf(key).successor as Managed<State> | undefined;
  }

  /** Whether a resource of this update replaces an object. */
  isReplaced(id: string): boolean {
    return this.#replacing.has(id);
  }

  /** The resource that is to replace an object and has no new one yet: if its create fails, it keeps the object. */
  findReplacing<State>(id: string): { readonly key: string; readonly state: State } | undefined {
    for (const key of this.#replacing.get(id) ?? []) {
      const { predecessors, successor } = this.#resourceOf(key);
      const state = predecessors.get(id);
      if (state !== undefined && successor === undefined) return { key, state: state as State };
    }
    return undefined;
  }

  /**
   * Notes the fate of an object that was replaced in this update or in an earlier one.
   * @param by the resource whose record of the object this concerns, where several can have one
   */
  decide(id: string, fate: object, by = ""): void {
    this.#fates.set(id, (this.#fates.get(id) ?? new Map<string, object>()).set(by, fate));
  }

  fateOf<Fate>(id: string, by = ""): Fate | undefined {
    return this.#fates.get(id)?.get(by) as Fate | undefined;
  }

  /** Whether any resource decided the fate of an object. */
  isDecided(id: string): boolean {
    return this.#fates.has(id);
  }

  #listKept(key: string): Managed[] {
    return [...this.#resourceOf(key).held].flatMap(([id, state]) => (state ? [{ id, state }] : []));
  }

  #notePredecessor(key: string, { id, state }: Managed): void {
    this.#resourceOf(key).predecessors.set(id, state);
    this.#replacing.set(id, (this.#replacing.get(id) ?? new Set()).add(key));
  }

  #resourceOf(key: string): Resource {
    const known = this.#resources.get(key) ?? { held: new Map(), predecessors: new Map() };
    this.#resources.set(key, known);
    return known;
  }
}
