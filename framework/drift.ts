import { asSet, type Canonical, isSame, keysOf, type Odd, pick } from "./compare";

/** How each field of a noun is compared. */
export type Comparisons<Spec> = Readonly<Record<keyof Spec & string, Canonical>>;

/** Fields as the service has them, and beside them the declared values that it has otherwise. */
export interface Observed<Spec> {
  readonly fields: Partial<Spec>;
  /** What was declared of fields for which the service gave another value; "" or []: nothing was. */
  readonly declared: Partial<Spec>;
}

/** An empty value stands for none, so that "none" can be recorded. */
const orNone = (canonical: Canonical, value: unknown): unknown => value ?? (canonical === asSet ? [] : "");

/** Fields without those that are empty for "none". */
const withoutNone = (fields: object): object =>
  Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== "" && !isEmptyList(value)));

const isEmptyList = (value: unknown): boolean => Array.isArray(value) && value.length === 0;

/** The fields of a response that could be read. */
const readableKeys = <Spec extends object>(comparisons: Comparisons<Spec>, { odd = {} }: Odd) =>
  keysOf(comparisons).filter((key) => !Object.hasOwn(odd, key));

/** The fields of a new object: a service may change or complete what it was sent. */
export function observe<Spec extends object>(
  comparisons: Comparisons<Spec>,
  sent: Partial<Spec>,
  response: Spec & Odd,
): Observed<Spec> {
  const other = readableKeys(comparisons, response).filter(
    (key) => !isSame(comparisons[key], sent[key], response[key]),
  );
  return {
    fields: withoutNone({
      ...pick(sent, keysOf(comparisons)),
      ...valuesOf(comparisons, other, response),
    }) as Partial<Spec>,
    declared: valuesOf(comparisons, other, sent),
  };
}

const valuesOf = <Spec extends object>(
  comparisons: Comparisons<Spec>,
  keys: readonly (keyof Spec & string)[],
  fields: Partial<Spec>,
): Partial<Spec> =>
  Object.fromEntries(keys.map((key) => [key, orNone(comparisons[key], fields[key])])) as unknown as Partial<Spec>;

/**
 * Compares the live fields with the recorded ones. Where they differ the live value is recorded, and what was declared of
 * the field counts no more: the next diff compares the live value with the program.
 */
export function reconcile<Spec extends object>(
  comparisons: Comparisons<Spec>,
  { fields, declared }: Observed<Spec>,
  live: Spec & Odd,
): Observed<Spec> & { readonly drifted: readonly (keyof Spec & string)[] } {
  const drifted = readableKeys(comparisons, live).filter((key) => !isSame(comparisons[key], fields[key], live[key]));
  const kept = keysOf(declared).filter((key) => !(drifted as string[]).includes(key));
  return {
    drifted,
    fields: withoutNone({ ...fields, ...valuesOf(comparisons, drifted, live) }) as Partial<Spec>,
    declared: pick(declared, kept as (keyof Partial<Spec>)[]) as Partial<Spec>,
  };
}

/** The fields as they were declared, or as a refresh found them since. */
export const expectedOf = <Spec extends object>({ fields, declared }: Observed<Spec>): Partial<Spec> =>
  withoutNone({ ...fields, ...declared }) as Partial<Spec>;

/** A record's `declared`: absent while it is empty. */
export const declaredMember = <Spec extends object>(declared: Partial<Spec>): { readonly declared?: Partial<Spec> } =>
  Object.keys(declared).length > 0 ? { declared } : {};
