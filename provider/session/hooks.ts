import { checkInputs } from "../lifecycle/check";
import { type Difference, type Lifecycle, unknown } from "../lifecycle/contract";
import { keyOf } from "../lifecycle/resourceKey";
import { type Connection, type Tell, withoutFailures } from "./connection";

type Bag = Readonly<Record<string, unknown>>;

/** Inputs as `check` leaves them, and everything that is wrong with them, a sentence each. */
export interface CheckedInputs<Inputs> {
  readonly inputs: Inputs;
  readonly reasons: readonly string[];
}

/** What the engine says of a resource, where it says more than values. */
export interface Asked {
  /** What made-up names are derived from: the same in a plan and its update. */
  readonly seed?: Uint8Array;
  /** Which resource it is. */
  readonly urn?: string;
}

/** Sentences told by this process: the engine checks a resource that is replaced twice, and a user is told once. */
const told = new Set<string>();

/** A lifecycle's hooks with what every adapter does around them. Plain values in, plain values out. */
export class Hooks<Inputs extends object, State extends Inputs> {
  readonly #lifecycle: Lifecycle<Inputs, State>;
  readonly #connection: Connection;
  // The resources that were checked in this process: those of an update are, those that a refresh compares are not.
  readonly #checked = new Set<string>();

  constructor(lifecycle: Lifecycle<Inputs, State>, connection: Connection) {
    this.#lifecycle = lifecycle;
    this.#connection = connection;
  }

  async check(olds: Bag | undefined, news: Bag, tell: Tell, { seed, urn }: Asked = {}): Promise<CheckedInputs<Inputs>> {
    const lifecycle = this.#lifecycle;
    const result = checkInputs(lifecycle, olds, news, this.#connection.plan(true, seed));
    this.#checked.add(urn ?? identityOf(result.inputs));
    const { warn, inform } = withoutFailures(tell);
    await tellOnce(warn, result.warnings);
    await tellOnce(inform, result.notes);
    const found = this.#connection.settings();
    const rehearsed = result.failures.length > 0 ? [] : ((await lifecycle.rehearse?.(result.inputs)) ?? []);
    const missing = "problems" in found ? found.problems.map(({ reason }) => reason) : [];
    const reasons = [...result.failures, ...rehearsed].map(({ property, reason }) => `${property} ${reason}`);
    return { inputs: result.inputs, reasons: [...reasons, ...missing] };
  }

  /** @throws Error for inputs that cannot be reached from this state */
  async diff(id: string, state: State, inputs: Inputs, tell: Tell, { urn }: Asked = {}): Promise<Difference> {
    const updating = this.#checked.size > 0 && this.#checked.has(urn ?? identityOf(inputs));
    const plan = this.#connection.plan(updating);
    const difference = this.#lifecycle.diff(id, state, inputs, plan);
    const { changes, notice } = difference;
    const isTrusted = plan.updating && !changes && plan.here !== undefined;
    const doubt = isTrusted && (await this.#lifecycle.verify?.(this.#connection.session(), id, state));
    await tellOnce(withoutFailures(tell).warn, [notice, doubt]);
    return difference;
  }

  create(inputs: Inputs, tell?: Tell): Promise<{ readonly id: string; readonly state: State }> {
    return this.#connection.run((session) => this.#lifecycle.create(session, inputs), tell);
  }

  read(
    id: string,
    state: Partial<State>,
    tell?: Tell,
  ): Promise<{ readonly inputs?: Inputs; readonly state: State } | undefined> {
    return this.#connection.run((session) => this.#lifecycle.read(session, id, state), tell);
  }

  update(id: string, state: State, inputs: Inputs, tell?: Tell): Promise<State> {
    return this.#connection.run((session) => this.#lifecycle.update(session, id, state, inputs), tell);
  }

  delete(id: string, state: State, tell?: Tell): Promise<void> {
    return this.#connection.run((session) => this.#lifecycle.delete(session, id, state), tell);
  }
}

async function tellOnce(
  tell: (message: string) => Promise<void>,
  messages: readonly (string | false | undefined)[] = [],
): Promise<void> {
  for (const message of messages) {
    if (!message || told.has(message)) continue;
    told.add(message);
    await tell(message);
  }
}

/**
 * Tells a resource from others of its kind, where the engine does not say which it is. Not by its inputs if there is a key among
 * them: a policy pack that remediates changes inputs after they were checked. Where there is none it is the same text
 * for the same inputs, in whatever order the engine hands their members over.
 */
const identityOf = (inputs: object): string =>
  keyOf(inputs) ??
  JSON.stringify(inputs, (_, value) => {
    if (value === unknown) return { unknown: true };
    if (!(value instanceof Object) || Array.isArray(value)) return value;
    return Object.fromEntries(Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1)));
  });
