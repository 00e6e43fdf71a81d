import type { EventDatasets, OperationName, Profile } from "../../sdk";
import type { Account, PresentAccount } from "./account";
import type { Ledger } from "./ledger";

/** Stands for a value that is not known before the update runs; only `check` and `diff` meet it, in a preview. */
export const unknown: unique symbol = Symbol("unknown");

/** What an input may be before it is checked. */
export type Unchecked = Readonly<Record<string, unknown>>;

/** One input that cannot be used. The reason never quotes the value: inputs can be secret. */
export interface CheckFailure {
  /** The input, with a path into it where that helps: `orgCapabilities.apiTokens`. */
  readonly property: string;
  readonly reason: string;
}

/** Values with the names of the inputs among them that are secret: the hooks are given plain values. */
export interface SecretNames {
  readonly secretInputs?: readonly string[];
}

export interface Checked<Inputs> {
  /** What the later hooks are given: the inputs and what was made up for those left out. */
  readonly inputs: Inputs;
  readonly failures: readonly CheckFailure[];
  /** What the user should know at preview though nothing is wrong. */
  readonly warnings?: readonly string[];
  /** What the update will do that a preview of the engine does not show. */
  readonly notes?: readonly string[];
}

export interface Difference {
  readonly changes: boolean;
  /** The keys that cannot be changed in place. */
  readonly replaces: readonly string[];
  /** What the user should know of this change at preview. */
  readonly notice?: string | undefined;
}

/** What the hooks that plan know beside the values. They do no I/O. */
export interface Plan {
  readonly now: () => Date;
  readonly profile: Profile;
  readonly can: (operation: OperationName) => boolean;
  /** Whether a token without an expiry is an error. */
  readonly requireExpiry: boolean;
  /**
   * Whether this comparison belongs to an update: these inputs were checked in this process. A refresh compares too; what
   * only the clock decides must not show there, or a refresh would find changes where nothing changed.
   */
  readonly updating: boolean;
  /** How this process reaches the service; undefined while a setting is missing. */
  readonly here: PresentAccount | undefined;
  /** What names that `check` makes up are derived from; absent: they are random. */
  readonly seed?: Uint8Array;
  readonly ledger: Ledger;
  readonly adoptions: Adoptions;
}

/**
 * The adopted tokens that resources of this update manage, in whatever process of it. A comparison notes those of earlier updates,
 * so both are a matter of a local file at the most, and neither is waited for.
 */
export interface Adoptions {
  /**
   * @param holder what tells the resource from others that may manage the same token
   * @throws Error if it cannot be noted: others could revoke what is adopted
   */
  note(id: string, holder: string): void;
  /** Takes a resource's note back, if there is one: another token takes the place of that one. Never throws. */
  forget(id: string, holder: string): void;
  has(id: string): boolean;
}

/** What the hooks that call the service work with. */
export interface Session {
  readonly client: EventDatasets;
  /** Tells the user something that the update goes on in spite of. Never rejects: what it tells of has happened. */
  readonly warn: (message: string) => Promise<void>;
  /** Tells the user how a hook that takes long is getting on. Never rejects. */
  readonly inform: (message: string) => Promise<void>;
  readonly now: () => Date;
  /** Milliseconds since some moment, on a clock that nobody sets. */
  readonly elapsed: () => number;
  /** Aborts when so many milliseconds, whole or not, are over. */
  readonly timeout: (ms: number) => AbortSignal;
  readonly sleep: (ms: number) => Promise<void>;
  readonly account: Account;
  readonly ledger: Ledger;
  readonly adoptions: Adoptions;
}

/**
 * One kind of resource: plain values and a client in, plain values out. Knows neither Pulumi nor HTTP, so that another
 * adapter can use it as it is.
 */
export interface Lifecycle<Inputs extends object, State extends Inputs> {
  /** Finds every unusable input and skips unknown ones. `olds` are the inputs of the last update. Never throws. */
  check(olds: Unchecked | undefined, news: Unchecked, plan: Plan): Checked<Inputs>;
  /**
   * What takes a library to tell of inputs in which `check` found nothing; a preview asks for it, too. Sends nothing and changes
   * nothing. Never throws.
   */
  rehearse?(inputs: Inputs): Promise<readonly CheckFailure[]>;
  /**
   * Compares by meaning.
   * @throws Error for inputs that cannot be reached from this state
   */
  diff(id: string, state: State, inputs: Inputs, plan: Plan): Difference;
  /**
   * What to tell of an object that an update is about to call unchanged. Comparisons run one after another: it may ask the
   * service at most once for all objects of a process. Never throws.
   */
  verify?(session: Session, id: string, state: State): Promise<string | undefined>;
  /** The names of what is recorded beside the inputs and derived from secret ones. */
  derivedSecrets?(values: SecretNames): readonly string[];
  /** @throws PartialCreate if the object exists but is not usable */
  create(session: Session, inputs: Inputs): Promise<{ readonly id: string; readonly state: State }>;
  /**
   * Undefined: gone. A failure to find out is thrown. Without `inputs` the recorded ones stay. `state` is empty for an
   * object that was never managed.
   */
  read(
    session: Session,
    id: string,
    state: Partial<State>,
  ): Promise<{ readonly inputs?: Inputs; readonly state: State } | undefined>;
  /** Returns the whole new state. */
  update(session: Session, id: string, state: State, inputs: Inputs): Promise<State>;
  /** An object that is gone already is no failure. */
  delete(session: Session, id: string, state: State): Promise<void>;
}

/** A create that left an object behind which is not usable. It must be tracked, so that it can be replaced. */
export class PartialCreate extends Error {
  override readonly name = "PartialCreate";
  readonly id: string;
  /** Private, so that an inspected error does not show it: inputs can be secret. */
  readonly #state: object;

  constructor(message: string, id: string, state: object, options?: ErrorOptions) {
    super(message, options);
    this.id = id;
    this.#state = state;
  }

  /** What to record of the object. */
  get state(): object {
    return this.#state;
  }
}

export const isPartialCreate = (e: unknown): e is PartialCreate =>
  e instanceof Object && "name" in e && e.name === "PartialCreate";

/** Whether any part of a value is unknown. Without recursion: a value can be nested deeper than a stack is. */
export function hasUnknown(value: unknown): boolean {
  const parts = [value];
  for (const part of parts) {
    if (part === unknown) return true;
    if (typeof part === "object" && part !== null) for (const member of Object.values(part)) parts.push(member);
  }
  return false;
}
