import { parseDuration } from "../values/duration";
import { isNever } from "../values/expiry";
import { canonicalInstant } from "../values/instant";
import { isObject } from "../values/json";
import { hasUnknown } from "./unknown";

/** Turns all spellings of a value into the same one; undefined stands for absent or empty. */
export type Canonical = (value: unknown) => unknown;

export const asText: Canonical = (value) => (value === "" || value === null ? undefined : value);

/** Compares instants as points in time; the zero time means "none". Text from the service that is not an instant stays text. */
export const asInstant: Canonical = (value) => {
  if (typeof value !== "string") return asText(value);
  return isNever(value) ? undefined : (canonicalInstant(value) ?? value);
};

export const asDuration: Canonical = (value) => {
  const duration = typeof value === "string" ? parseDuration(value) : undefined;
  return duration ? [duration.months, duration.milliseconds] : undefined;
};

/** Compares a list of names as a set. */
export const asSet: Canonical = (value) =>
  Array.isArray(value) && value.length > 0 ? [...new Set(value.map(String))].sort() : undefined;

/** Compares an object of any structure: lists of strings as sets, empty lists and objects as absent. Other lists are ordered. */
export const asNestedSets: Canonical = (value) => {
  if (Array.isArray(value))
    return value.every((member) => typeof member === "string") ? asSet(value) : value.map(asNestedSets);
  if (!isObject(value)) return asText(value);
  const members = sortMembers(value, asNestedSets);
  return members.length > 0 ? Object.fromEntries(members) : undefined;
};

/** Compares any plain value; the order of an object's keys is ignored. */
export const asJson: Canonical = (value) => {
  if (Array.isArray(value)) return value.map(asJson);
  return isObject(value) ? Object.fromEntries(sortMembers(value, asJson)) : (value ?? undefined);
};

const sortMembers = (object: object, canonical: Canonical): [key: string, value: unknown][] =>
  Object.entries(object)
    .map(([key, value]): [string, unknown] => [key, canonical(value)])
    .filter(([, value]) => value !== undefined)
    .sort(([a], [b]) => (a < b ? -1 : 1));

export const canonicalText = (canonical: Canonical, value: unknown): string | undefined =>
  JSON.stringify(canonical(value));

export const isSame = (canonical: Canonical, a: unknown, b: unknown): boolean =>
  a === b || JSON.stringify(a) === JSON.stringify(b) || canonicalText(canonical, a) === canonicalText(canonical, b);

/** The fields of a response that could not be read, with the reason. */
export interface Odd {
  readonly odd?: Readonly<Record<string, string>>;
}

type Comparable<Key extends string> = { readonly [key in Key]?: unknown } & Odd;

/** The keys whose values differ in meaning. Unknown and unreadable values count as unchanged. */
export function changedKeys<Key extends string>(
  comparisons: Readonly<Record<Key, Canonical>>,
  a: Comparable<NoInfer<Key>>,
  b: Comparable<NoInfer<Key>>,
): Key[] {
  const isUnknown = (side: Comparable<Key>, key: Key) => hasUnknown(side[key]) || side.odd?.[key] !== undefined;
  return keysOf(comparisons).filter(
    (key) => a[key] !== b[key] && !isUnknown(a, key) && !isUnknown(b, key) && !isSame(comparisons[key], a[key], b[key]),
  );
}

export const keysOf = <Key extends string>(table: Readonly<Record<Key, unknown>>): Key[] => Object.keys(table) as Key[];

/** The named members that are present. */
export function pick<T extends object, Key extends keyof T>(object: T, keys: readonly Key[]): Pick<T, Key> {
  const members = keys.filter((key) => object[key] !== undefined).map((key) => [key, object[key]]);
  return Object.fromEntries(members) as Pick<T, Key>;
}

/** Drops the named members. Returns the same object if it has none of them. */
export function omit(object: object, keys: readonly string[]): Readonly<Record<string, unknown>> {
  if (!keys.some((key) => Object.hasOwn(object, key))) return object as Readonly<Record<string, unknown>>;
  return Object.fromEntries(Object.entries(object).filter(([key]) => !keys.includes(key)));
}
