import { asSet, type Canonical, changedKeys, keysOf, type Odd, pick } from "./compare";

/** Fields as the service has them, and the declared values that differ from them. */
export interface Observed<Spec> {
  readonly fields: Partial<Spec>;
  /** Declared values of fields for which the service gave another value; "" or []: none was declared. */
  readonly declared: Partial<Spec>;
}

interface Recorded<Spec> {
  readonly record?: { readonly declared?: Partial<Spec> };
}

/** An empty value stands for none, which can be recorded. */
const orNone = (canonical: Canonical, value: unknown): unknown => value ?? (canonical === asSet ? [] : "");

const isNone = (value: unknown): boolean => value === "" || (Array.isArray(value) && value.length === 0);

const withoutNone = <Spec>(fields: Partial<Spec>): Partial<Spec> =>
  Object.fromEntries(Object.entries(fields).filter(([, value]) => !isNone(value))) as Partial<Spec>;

/** The fields of a noun that the service has too: how a state records them, and how they are compared with live ones. */
export class LiveFields<Spec extends object> {
  readonly keys: readonly (keyof Spec & string)[];
  readonly #comparisons: Readonly<Record<keyof Spec & string, Canonical>>;

  constructor(comparisons: Readonly<Record<keyof Spec & string, Canonical>>) {
    this.keys = keysOf(comparisons);
    this.#comparisons = comparisons;
  }

  read(state: Partial<Spec> & Recorded<Spec>): Observed<Spec> {
    return { fields: pick(state as Partial<Spec>, this.keys) as Partial<Spec>, declared: state.record?.declared ?? {} };
  }

  /** The fields that the program is expected to declare. */
  expect(state: Partial<Spec> & Recorded<Spec>): Partial<Spec> {
    const { fields, declared } = this.read(state);
    return withoutNone({ ...fields, ...declared });
  }

  /** A state with these fields and this record. */
  write<State>(state: object, { fields, declared }: Observed<Spec>, record: object): State {
    const others = Object.entries(state).filter(([key]) => !(this.keys as readonly string[]).includes(key));
    const { declared: _, ...rest } = record as Recorded<Spec>["record"] & object;
    const kept = Object.keys(declared).length > 0 ? { declared } : {};
    return { ...Object.fromEntries(others), ...fields, record: { ...rest, ...kept } } as State;
  }

  /** The fields of a new object: a service may change or complete the request. */
  observe(sent: Partial<Spec>, response: Spec & Odd): Observed<Spec> {
    const other = changedKeys(this.#comparisons, sent, response);
    const fields = withoutNone({ ...pick(sent, this.keys), ...this.#pick(other, response) });
    return { fields, declared: this.#pick(other, sent) };
  }

  /** Records the live value of each field that drifted. Its declared value does not count any more. */
  reconcile(
    { fields, declared }: Observed<Spec>,
    live: Spec & Odd,
  ): Observed<Spec> & { readonly drifted: readonly string[] } {
    const drifted = changedKeys(this.#comparisons, fields, live);
    const kept = keysOf(declared as Record<keyof Spec & string, unknown>).filter((key) => !drifted.includes(key));
    return {
      drifted,
      fields: withoutNone({ ...fields, ...this.#pick(drifted, live) }),
      declared: pick(declared, kept) as Partial<Spec>,
    };
  }

  #pick(keys: readonly (keyof Spec & string)[], fields: Partial<Spec>): Partial<Spec> {
    return Object.fromEntries(keys.map((key) => [key, orNone(this.#comparisons[key], fields[key])])) as Partial<Spec>;
  }
}
