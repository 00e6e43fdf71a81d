import { canonicalInstant } from "../../sdk/values/instant";
import { hasUnknown } from "./contract";

/** Turns a value into one that is the same for all spellings of one meaning; undefined stands for absent or empty. */
export type Canonical = (value: unknown) => unknown;

/** A text as it is; the empty one is no different from none. */
export const asText: Canonical = (value) => (value === "" || value === null ? undefined : value);

/** An instant by the moment it names. One that is none, from the service, is compared as text. */
export const asInstant: Canonical = (value) =>
  typeof value === "string" ? (canonicalInstant(value) ?? asText(value)) : asText(value);

/** A list of names as a set. */
export const asSet: Canonical = (value) =>
  Array.isArray(value) && value.length > 0 ? [...new Set(value.map(String))].sort() : undefined;

/**
 * Capabilities: lists of strings as sets, keys in any order, empty lists and objects as absent. Lists of anything else
 * keep their order, since what it means is not documented.
 */
export const asCapabilities: Canonical = (value) => {
  if (Array.isArray(value)) {
    return value.every((v) => typeof v === "string") ? asSet(value) : value.map((v) => asCapabilities(v) ?? null);
  }
  if (typeof value !== "object" || value === null) return asText(value);
  const members = Object.entries(value)
    .map(([key, member]) => [key, asCapabilities(member)] as const)
    .filter(([, member]) => member !== undefined)
    .sort(([a], [b]) => (a < b ? -1 : 1));
  return members.length > 0 ? Object.fromEntries(members) : undefined;
};

/** Any plain value; the order of an object's keys is no difference. */
export const asJson: Canonical = (value) => {
  if (Array.isArray(value)) return value.map((member) => asJson(member) ?? null);
  if (typeof value !== "object" || value === null) return value ?? undefined;
  const members = Object.entries(value).filter(([, member]) => member !== undefined);
  return Object.fromEntries(members.sort(([a], [b]) => (a < b ? -1 : 1)).map(([key, member]) => [key, asJson(member)]));
};

/** Whether two known values mean the same. */
export const same = (canonical: Canonical, a: unknown, b: unknown): boolean =>
  JSON.stringify(canonical(a)) === JSON.stringify(canonical(b));

/** The keys whose values differ in meaning. A value that is not known yet counts as unchanged. */
export function changedKeys<Key extends string>(
  comparisons: Readonly<Record<Key, Canonical>>,
  a: { readonly [key in NoInfer<Key>]?: unknown },
  b: { readonly [key in NoInfer<Key>]?: unknown },
): Key[] {
  return (Object.keys(comparisons) as Key[]).filter(
    (key) => !hasUnknown(a[key]) && !hasUnknown(b[key]) && !same(comparisons[key], a[key], b[key]),
  );
}

/** The named members that are present, as a new object. */
export function pick<T extends object, Key extends keyof T>(object: T, keys: readonly Key[]): Pick<T, Key> {
  return Object.fromEntries(keys.filter((key) => object[key] !== undefined).map((key) => [key, object[key]])) as Pick<
    T,
    Key
  >;
}
