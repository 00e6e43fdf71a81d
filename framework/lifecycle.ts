import type { Hints } from "./identity";

/** Properties as the engine passes them, untyped. */
export type Bag = Readonly<Record<string, unknown>>;

/** One input that cannot be used. The reason never quotes the value: inputs can be secret. */
export interface CheckFailure {
  /** The input, with a path into it where this helps, such as `limits.perDay`. */
  readonly property: string;
  readonly reason: string;
}

export interface Checked<Inputs> {
  /** The inputs for the later hooks, including generated ones. */
  readonly inputs: Inputs;
  readonly failures: readonly CheckFailure[];
  /** Finds mistakes that only a library can detect. Called if nothing else is wrong. Sends nothing and never throws. */
  readonly findMore?: () => Promise<readonly CheckFailure[]>;
  /** Shown as warnings in the preview, although nothing is wrong. */
  readonly warnings?: readonly string[];
  /** Shown in the preview: effects that the engine's own preview leaves out. */
  readonly notes?: readonly string[];
}

export interface PlannedChange<Planned = unknown> {
  readonly changes: boolean;
  /** The keys that cannot be changed in place. */
  readonly replaces: readonly string[];
  /** Shown as a warning in the preview. */
  readonly notice?: string | undefined;
  /** Facts for the deletions in this update: about this object, and about objects that it replaced earlier. By id. */
  readonly plans?: Readonly<Record<string, Planned>>;
  /** The recorded keys of the objects that were recorded before an alias renamed the resource. */
  readonly recordedAs?: Readonly<Record<string, string>>;
}

/** An object of the state, and what a diff plans for it. */
export interface Compared<State = object, Planned = unknown> {
  readonly id: string;
  readonly state: State;
  readonly change: PlannedChange<Planned>;
}

/** An object that a create replaces, as the last diff of its resource saw it. */
export interface Replaced<State = object, Planned = unknown> {
  readonly id: string;
  readonly state: State;
  /** The plan of that diff for it. */
  readonly planned?: Planned | undefined;
}

/** Shows messages to the user. Neither function rejects, because it reports something that has already happened. */
export interface Tell {
  readonly warn: (message: string) => Promise<void>;
  readonly inform: (message: string) => Promise<void>;
}

/** The session of the hooks that plan. They do no I/O. */
export interface Plan {
  readonly now: () => Date;
  /** Claims an object that exists for this resource; false: another resource of this process has it. */
  readonly claim: (id: string) => boolean;
  /** Seed of generated names, which is the same in a plan and its update. If it is absent, names are random. */
  readonly seed?: Uint8Array;
  /** The project's `pulumi:autonaming`. The engine does not pass it to dynamic providers. */
  readonly autonaming?: "disabled" | { readonly proposedName: string };
  /** Whether the options of a resource arrive as hints, as in the dynamic form. The engine does not pass them to a plugin. */
  readonly seesOptions: boolean;
  /** The stack. Absent in the dynamic form, where only the program knows it. */
  readonly stack?: { readonly project: string; readonly stack: string };
}

/** The session of the hooks that call the service. It includes the members of a plan. */
export interface Session extends Plan, Tell {
  /** Milliseconds by a monotonic clock. */
  readonly elapsed: () => number;
  /** Aborts after this many milliseconds. */
  readonly timeout: (ms: number) => AbortSignal;
  /** The inputs of the resources of a kind that this update has checked so far. */
  readonly declared: (kind: string) => readonly Bag[];
  /** Rejects once the user cancels the update, but never in the dynamic form. */
  readonly sleep: (ms: number) => Promise<void>;
  /** Whether this update replaces or deletes the object with this id, of any kind. */
  readonly isEnding: (id: string) => boolean;
}

/** An object that a create made. */
export interface Created<State, Planned = unknown> {
  readonly id: string;
  readonly state: State;
  /** The plans as in a diff, if the create changed them. */
  readonly plans?: Readonly<Record<string, Planned>> | undefined;
}

/**
 * One kind of resource: plain values and a service in, plain values out. It does not know which adapter runs it.
 * @typeParam Planning what the provider's settings add to a `Plan` and to a `Session`
 * @typeParam Service what calls the service, added to a `Session`
 * @typeParam Planned what a diff plans for the deletion of an object
 */
export interface Lifecycle<
  Inputs extends Hints,
  State extends Inputs,
  Planning extends object,
  Service extends object,
  Planned = unknown,
> {
  /**
   * Finds unusable inputs, beyond the checks of the definition, and completes the inputs. It skips absent and unknown inputs;
   * those that the definition refuses are unknown here. `olds` are the inputs of the last update. Sends nothing, never throws.
   */
  check(olds: Bag | undefined, news: Bag, plan: Plan & Planning): Checked<Inputs>;
  /**
   * Compares by meaning.
   * @throws Error for inputs that cannot be reached from this state
   */
  diff(id: string, state: State, inputs: Inputs, plan: Plan & Planning): PlannedChange<Planned>;
  /**
   * Warnings about a new object, after its check, or about what a diff is about to report. It only reads: one list for all
   * objects of a process, because these hooks run one after another, and an object that is missing from this list.
   * @param compared absent: the object is new
   * @throws Error for a change that the service would refuse
   */
  verify?(
    session: Session & Planning & Service,
    inputs: Inputs,
    compared?: Compared<State, Planned>,
  ): Promise<readonly string[]>;
  /**
   * @param replaced the object that this one replaces, if a diff saw it
   * @throws PartialCreate if the object exists but is not usable, UncertainCreate if it may exist
   */
  create(
    session: Session & Planning & Service,
    inputs: Inputs,
    replaced?: Replaced<State, Planned>,
  ): Promise<Created<State, Planned>>;
  /** Returns undefined only if the object is certainly gone, and `inputs`, with the hints of `state`, if the object changed. */
  read(
    session: Session & Planning & Service,
    id: string,
    state: Partial<State>,
  ): Promise<{ readonly inputs?: Inputs; readonly state: State } | undefined>;
  /** Returns the whole new state, without the arguments that the program has removed. */
  update(session: Session & Planning & Service, id: string, state: State, inputs: Inputs): Promise<State>;
  /**
   * If the object is already gone, this is not a failure.
   * @param planned of a diff of this update; absent after `--replace`, taint, `replaceWith` and a replacement trigger, in
   *   another process, and after a restart
   */
  delete(session: Session & Planning & Service, id: string, state: State, planned?: Planned): Promise<void>;
}

/** The failure of a create or update that may have been carried out, with nothing to track. The request is never repeated. */
export class UncertainCreate extends Error {
  override readonly name = "UncertainCreate";
}

/** The failure of a create that left behind an unusable object, which is tracked so that it can be replaced. */
export class PartialCreate extends Error {
  override readonly name = "PartialCreate";
  readonly id: string;
  /** Private: an inspected error must not show secret inputs. */
  readonly #state: object;

  constructor(message: string, id: string, state: object, options?: ErrorOptions) {
    super(message, options);
    this.id = id;
    this.#state = state;
  }

  get state(): object {
    return this.#state;
  }
}

const isNamed = (e: unknown, name: string): boolean => e instanceof Object && "name" in e && e.name === name;

export const isPartialCreate = (e: unknown): e is PartialCreate => isNamed(e, "PartialCreate");

/** Whether a create or update must not be sent again. */
export const isUncertain = (e: unknown): e is Error => isPartialCreate(e) || isNamed(e, "UncertainCreate");
