import { asJson, canonicalText, changedKeys } from "./compare";
import { isUncertain } from "./failures";
import { Notes } from "./notes";

/** An object with its recorded state. */
export interface Managed<State = object> {
  readonly id: string;
  readonly state: State;
}

/** A replacement, as far as this process has seen it. */
interface Replacement {
  /** The recorded states of the replaced objects, by id. */
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
  readonly #declared = new Map<string, object>();
  /** By scope, the inputs that a policy pack changed between the check and the diff, with its values. */
  readonly #remediated = new Map<string, Inputs>();
  /** By id, the resource that manages an object; with the recorded state if a diff decided to keep it. */
  readonly #held = new Map<string, { readonly key: string; readonly state?: object }>();
  readonly #replacements = new Map<string, Replacement>();
  /** By id, then by the resource that decided. */
  readonly #fates = new Map<string, Map<string, object>>();
  readonly #attempts = new Map<string, Promise<unknown>>();
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
    const held = this.#held.get(id);
    if (held && held.key !== key) return false;
    this.#held.set(id, { ...held, key, ...(state && { state }) });
    return true;
  }

  /** Whether a resource of this process has claimed an object. */
  isHeld(id: string): boolean {
    return this.#held.has(id);
  }

  /** Whether a resource has claimed another object than this one. */
  hasOther(key: string, id: string): boolean {
    return [...this.#held].some(([other, held]) => other !== id && held.key === key);
  }

  /**
   * Whether a resource of this update manages an object, so that nobody else may delete it.
   * @throws Error if the notes of other processes cannot be read
   */
  isManaged(id: string): boolean {
    return this.#held.get(id)?.state !== undefined || this.notes.has(id);
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
    const { key, state } = this.#held.get(id) ?? {};
    return key === undefined || state === undefined ? undefined : { key, state: state as State };
  }

  /** Notes that the next create of a resource replaces an object. The resource gives it up. */
  replace(key: string, { id, state }: Managed): void {
    if (this.#held.get(id)?.key === key) this.#held.delete(id);
    this.#replacementOf(key).predecessors.set(id, state);
  }

  /**
   * Notes that a resource has a new object, which no other resource of this update can take over. It gives up the objects
   * that its diff kept: the engine makes a replacement of a change in place where `--replace` or `replaceOnChanges` says so,
   * and tells no hook.
   */
  succeed(key: string, successor: Managed): void {
    this.yieldKept(key);
    this.claim(successor.id, key, successor.state);
    this.#replacementOf(key).successor = successor;
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
    this.#replacementOf(key).predecessors.set(object.id, object.state);
    this.#replacementOf(key).abandoned = object;
  }

  findAbandoned<State>(key: string): Managed<State> | undefined {
    return this.#replacements.get(key)?.abandoned as Managed<State> | undefined;
  }

  /** The object that a resource's create replaces, if there is exactly one. */
  findPredecessor<State>(key: string): Managed<State> | undefined {
    const [first, ...more] = this.#replacements.get(key)?.predecessors ?? [];
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
    return this.#replacements.get(key)?.successor as Managed<State> | undefined;
  }

  /** Whether a resource of this update replaces an object. */
  isReplaced(id: string): boolean {
    return [...this.#replacements.values()].some(({ predecessors }) => predecessors.has(id));
  }

  /** The resource that is to replace an object and has no new one yet: if its create fails, it keeps the object. */
  findReplacing<State>(id: string): { readonly key: string; readonly state: State } | undefined {
    for (const [key, { predecessors, successor }] of this.#replacements) {
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

  /**
   * Runs a request that must not be sent twice. An `onError` hook of the program can make the engine repeat a hook: if the
   * outcome of the first run is not known, the repeated one fails in the same way.
   */
  async once<T>(resource: string, inputs: object, send: () => Promise<T>): Promise<T> {
    const attempt = JSON.stringify([resource, canonicalText(asJson, inputs)]);
    const before = this.#attempts.get(attempt);
    if (before) return (await before) as T;
    const sent = send();
    this.#attempts.set(attempt, sent);
    const forget = () => this.#attempts.delete(attempt);
    sent.then(forget, (failure) => isUncertain(failure) || forget());
    return await sent;
  }

  #listKept(key: string): Managed[] {
    return [...this.#held].flatMap(([id, held]) => (held.key === key && held.state ? [{ id, state: held.state }] : []));
  }

  #replacementOf(key: string): Replacement {
    const known = this.#replacements.get(key) ?? { predecessors: new Map<string, object>() };
    this.#replacements.set(key, known);
    return known;
  }
}
