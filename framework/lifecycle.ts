import type { Hints } from "./identity";
import type { Update } from "./update";

/** Properties as the engine passes them, untyped. */
export type Bag = Readonly<Record<string, unknown>>;

/** One input that cannot be used. The reason never quotes the value: inputs can be secret. */
export interface CheckFailure {
  /** The input, with a path into it where that helps: `orgCapabilities.apiTokens`. */
  readonly property: string;
  readonly reason: string;
}

export interface Checked<Inputs> {
  /** The inputs for the later hooks, completed by generated ones. */
  readonly inputs: Inputs;
  readonly failures: readonly CheckFailure[];
  /** Shown as warnings in the preview, although nothing is wrong. */
  readonly warnings?: readonly string[];
  /** Shown in the preview: effects of the update that the engine's own preview does not show. */
  readonly notes?: readonly string[];
}

export interface PlannedChange {
  readonly changes: boolean;
  /** The keys that cannot be changed in place. */
  readonly replaces: readonly string[];
  /** Shown as a warning in the preview. */
  readonly notice?: string | undefined;
}

/** How a user is told something. Neither function rejects: the event it reports has happened already. */
export interface Tell {
  readonly warn: (message: string) => Promise<void>;
  readonly inform: (message: string) => Promise<void>;
}

/** For the hooks that plan. They do no I/O, except for notes of the update. */
export interface Plan {
  readonly now: () => Date;
  readonly update: Update;
  /** Whether this diff belongs to an update. A refresh must not show a difference that only the clock causes. */
  readonly isUpdate: boolean;
  /** Seed of generated names, the same in a plan and its update; absent: they are random. */
  readonly seed?: Uint8Array;
  /** The project's `pulumi:autonaming`. The engine does not pass it to dynamic providers. */
  readonly autonaming?: "disabled" | { readonly proposedName: string };
}

/** For the hooks that call the service. */
export interface Session extends Tell {
  readonly now: () => Date;
  /** Milliseconds of a clock that nobody sets. */
  readonly elapsed: () => number;
  /** Aborts after so many milliseconds. */
  readonly timeout: (ms: number) => AbortSignal;
  readonly sleep: (ms: number) => Promise<void>;
  readonly update: Update;
}

/**
 * One kind of resource: plain values and a service in, plain values out. It does not know which adapter runs it.
 * @typeParam Planning what the provider's settings add to a `Plan`
 * @typeParam Service what calls the service, added to a `Session`
 */
export interface Lifecycle<
  Inputs extends Hints,
  State extends Inputs,
  Planning extends object,
  Service extends object,
> {
  /** Finds every unusable input and skips absent and unknown ones. `olds` are the inputs of the last update. Never throws. */
  check(olds: Bag | undefined, news: Bag, plan: Plan & Planning): Checked<Inputs>;
  /** Validation that needs an optional library; runs after `check` passes. Sends nothing and never throws. */
  rehearse?(inputs: Inputs): Promise<readonly CheckFailure[]>;
  /**
   * Compares by meaning.
   * @throws Error for inputs that cannot be reached from this state
   */
  diff(id: string, state: State, inputs: Inputs, plan: Plan & Planning): PlannedChange;
  /**
   * A warning about an object that is about to be reported unchanged. May ask the service once for all objects of a
   * process, since diffs run one after another. Never throws.
   */
  verify?(session: Session & Service, id: string, state: State): Promise<string | undefined>;
  /**
   * @throws PartialCreate if the object exists but is not usable, UncertainCreate if it may exist
   */
  create(session: Session & Service, inputs: Inputs): Promise<{ readonly id: string; readonly state: State }>;
  /**
   * Undefined: the object is gone for certain. Without `inputs` the recorded ones stay. `state` is empty for an import.
   */
  read(
    session: Session & Service,
    id: string,
    state: Partial<State>,
  ): Promise<{ readonly inputs?: Inputs; readonly state: State } | undefined>;
  /** Returns the whole new state. */
  update(session: Session & Service, id: string, state: State, inputs: Inputs): Promise<State>;
  /** An object that is gone already is no failure. */
  delete(session: Session & Service, id: string, state: State): Promise<void>;
}

export { isPartialCreate, PartialCreate, UncertainCreate } from "./failures";
