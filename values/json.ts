/** Any JSON value. */
export type Json = null | boolean | number | string | readonly Json[] | JsonObject;

/** A JSON object. A parsed object has no prototype, so that none of its keys has a meaning in JavaScript. */
export interface JsonObject {
  readonly [key: string]: Json;
}

/** Whether a value is an object with members, and not a list. */
export const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === "object" && value !== null && !Array.isArray(value);

/**
 * An object without a prototype, for names that come from outside. It is not made with `Object.create(null)`, whose objects are
 * hash tables from the start, several times larger and slower to fill.
 */
export const emptyObject = <T>(): Record<string, T> => Object.setPrototypeOf({}, null);

/** How many levels of a value are looked at: far more than any has, and far fewer than a stack holds. */
const maxDepth = 100;

/** @throws RangeError for a value nested deeper than 100 levels */
export function requireShallow(depth: number): void {
  if (depth > maxDepth) throw new RangeError(`nested deeper than ${maxDepth} levels`);
}

/**
 * A copy in which no object has a prototype or a null member, because null also means "absent".
 * @throws RangeError for a value nested deeper than 100 levels
 */
export function withoutNulls(value: unknown, depth = 0): unknown {
  requireShallow(depth);
  if (Array.isArray(value)) return value.map((member) => withoutNulls(member, depth + 1));
  if (!isObject(value)) return value;
  const copy = emptyObject<unknown>();
  for (const [key, member] of Object.entries(value)) {
    if (member !== null) copy[key] = withoutNulls(member, depth + 1);
  }
  return copy;
}
