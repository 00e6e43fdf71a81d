import { asSet, type Canonical, changedKeys, isSame, keysOf, type Odd, omit, pick } from "./compare";
import {
  argumentsOf,
  changedInputs,
  comparisonsOf,
  findUnknownReplacing,
  inputsOf,
  mayReplace,
  type ResourceDefinition,
} from "./definition";
import type { Bag } from "./lifecycle";

/** The members of a record that say how live fields differ from declared ones. */
export interface Differences<Spec> {
  /** The declared values of fields for which the service has a different value; "" or [] if none was declared. */
  readonly declared?: Partial<Spec>;
  /** The fields among these that have changed since the create. For the others, the service chose a different value at once. */
  readonly drifted?: readonly (keyof Spec & string)[];
}

/** The service's values of the fields, and the declared values where they differ. */
export interface Observed<Spec> extends Required<Differences<Spec>> {
  readonly fields: Partial<Spec>;
}

type Stored<Spec> = Partial<Spec> & { readonly record?: Differences<Spec> };

/** An empty value stands for none, which can be recorded. */
const orNone = (canonical: Canonical, value: unknown): unknown => value ?? (canonical === asSet ? [] : "");

const isNone = (value: unknown): boolean => value === "" || (Array.isArray(value) && value.length === 0);

const withoutNone = <Spec>(fields: Partial<Spec>): Partial<Spec> =>
  Object.fromEntries(Object.entries(fields).filter(([, value]) => !isNone(value))) as Partial<Spec>;

/** The fields that a resource shares with the service: how a state records them, and how they are compared with live values. */
export class LiveFields<Spec extends object> {
  readonly keys: readonly (keyof Spec & string)[];
  readonly comparisons: Readonly<Record<keyof Spec & string, Canonical>>;
  readonly #definition: ResourceDefinition;

  constructor(definition: ResourceDefinition) {
    this.#definition = definition;
    this.keys = definition.fields as readonly (keyof Spec & string)[];
    this.comparisons = comparisonsOf(definition, this.keys);
  }

  /** The fields whose values differ in meaning. */
  differing(a: Partial<Spec>, b: Partial<Spec>): (keyof Spec & string)[] {
    return changedKeys(this.comparisons, a, b);
  }

  read(state: Stored<Spec>): Observed<Spec> {
    const { declared = {}, drifted = [] } = state.record ?? {};
    return { fields: pick(state as Partial<Spec>, this.keys) as Partial<Spec>, declared, drifted };
  }

  /** The fields as the program declared them, whatever a refresh has found since. */
  expect(state: Stored<Spec>): Partial<Spec> {
    const { fields, declared } = this.read(state);
    return withoutNone({ ...fields, ...declared });
  }

  /** The fields as a refresh reports them: the declared values, and the live values of fields that changed after the create. */
  report(state: Stored<Spec>): Partial<Spec> {
    const { fields, drifted } = this.read(state);
    return withoutNone({ ...this.expect(state), ...this.#pick(drifted, fields) });
  }

  /** The fields whose declared and live values differ, unless the service answered the declared value with the live one. */
  changed(state: Stored<Spec>, inputs: Partial<Spec>): (keyof Spec & string)[] {
    const { fields, drifted } = this.read(state);
    const expected = this.expect(state);
    return changedKeys(this.comparisons, fields, inputs).filter(
      (key) => drifted.includes(key) || !isSame(this.comparisons[key], expected[key], inputs[key]),
    );
  }

  /** The arguments to change, and those whose change replaces the object. An absent `computed` field keeps its live value. */
  compare(state: Stored<Spec>, inputs: Partial<Spec>, planning: object) {
    const { properties } = this.#definition;
    const isLeftOut = (key: keyof Spec & string) => properties[key]?.computed === true && inputs[key] === undefined;
    const fields = this.changed(state, inputs).filter((key) => !isLeftOut(key));
    const others = argumentsOf(this.#definition).filter((name) => !this.#definition.fields.includes(name));
    const changed: string[] = [...fields, ...changedInputs(this.#definition, others, state, inputs)];
    const replacing = changed.filter((name) => mayReplace(properties[name] ?? {}, planning));
    return { fields, changed, replaces: [...replacing, ...findUnknownReplacing(this.#definition, inputs, planning)] };
  }

  /** A state with these fields and this record. */
  write<State>(state: object, { fields, declared, drifted }: Observed<Spec>, record: object): State {
    const { declared: _, drifted: __, ...rest } = record as Differences<Spec>;
    const differences = {
      ...(Object.keys(declared).length > 0 ? { declared } : {}),
      ...(drifted.length > 0 ? { drifted } : {}),
    };
    return { ...omit(state, this.keys), ...fields, record: { ...rest, ...differences } } as State;
  }

  /** The fields of a new object. The service may have added values, or changed those that were sent. */
  observe(sent: Partial<Spec>, response: Spec & Odd): Observed<Spec> {
    const other = changedKeys(this.comparisons, sent, response);
    const fields = withoutNone({ ...pick(sent, this.keys), ...this.#pick(other, response) });
    return { fields, declared: this.#pick(other, sent), drifted: [] };
  }

  /**
   * The live fields. The earlier value of a field counts as the declared one until the field has that value again.
   * @returns the same object if they are as they were observed
   */
  reconcile(observed: Observed<Spec>, live: Spec & Odd): Observed<Spec> {
    const { fields, declared, drifted } = observed;
    const other = changedKeys(this.comparisons, fields, live);
    if (other.length === 0) return observed;
    const before = withoutNone(declared);
    const isBack = (key: keyof Spec & string) =>
      other.includes(key) && drifted.includes(key) && isSame(this.comparisons[key], before[key], live[key]);
    const left = other.filter((key) => !drifted.includes(key));
    const kept = keysOf(declared as Record<keyof Spec & string, unknown>).filter((key) => !isBack(key));
    return {
      fields: withoutNone({ ...fields, ...this.#pick(other, live) }),
      declared: { ...pick(declared, kept), ...this.#pick(left, fields) },
      drifted: [...drifted.filter((key) => !isBack(key)), ...left],
    };
  }

  /**
   * The result of a read that found the object. An object without a record, as in an import, is taken as it is.
   * @param renewed the members of the state that the read renews
   * @param computed fields that the program does not declare
   */
  found<Inputs extends object, State extends Inputs>(
    state: Partial<State> & Bag,
    live: Spec & Odd,
    renewed: Partial<State> & Bag = {},
    computed: readonly string[] = [],
  ): { readonly inputs?: Inputs; readonly state: State } {
    const stored = state as Stored<Spec>;
    const recorded = stored.record && this.read(stored);
    const observed = recorded ? this.reconcile(recorded, live) : this.observe(live, live);
    const { record = state.record ?? {} } = renewed;
    const next = this.write<State>({ ...state, ...renewed }, observed, record as object);
    const isSettled = Object.keys(renewed).every((name) => renewed[name] === state[name]);
    if (observed === recorded) return { state: isSettled ? (state as State & Bag) : next };
    const others = omit(pick(next as Bag, inputsOf(this.#definition)), this.keys);
    return { inputs: { ...others, ...omit(this.report(next), computed) } as Inputs, state: next };
  }

  /** The fields after an update in place whose declared values are already live, or were returned by the service before. */
  redeclare({ fields, declared, drifted }: Observed<Spec>, inputs: Partial<Spec>): Observed<Spec> {
    const asDeclared = this.keys.filter((key) => isSame(this.comparisons[key], fields[key], inputs[key]));
    const kept = keysOf(declared as Record<keyof Spec & string, unknown>).filter((key) => !asDeclared.includes(key));
    return {
      fields: { ...fields, ...pick(inputs, asDeclared) },
      declared: pick(declared, kept) as Partial<Spec>,
      drifted: drifted.filter((key) => kept.includes(key)),
    };
  }

  #pick(keys: readonly (keyof Spec & string)[], fields: Partial<Spec>): Partial<Spec> {
    return Object.fromEntries(keys.map((key) => [key, orNone(this.comparisons[key], fields[key])])) as Partial<Spec>;
  }
}
