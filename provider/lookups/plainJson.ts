import type { QueryValue } from "../../sdk";
import { emptyObject, type Json, requireShallow } from "../../values/json";

/** A value as the engine can keep it: JSON has no `bigint`, so an integer beyond 2^53 is its decimal text. */
export type Plain<T> = [QueryValue] extends [T] ? Json : PlainMembers<T>;

// An open list of words (`string & {}`) counts as an object, too, and is a string all the same.
type PlainMembers<T> = T extends bigint
  ? string
  : T extends string
    ? T
    : T extends readonly (infer Item)[]
      ? readonly Plain<Item>[]
      : T extends object
        ? { readonly [Key in keyof T]: Plain<T[Key]> }
        : T;

/**
 * A copy without `bigint`s.
 * @throws RangeError for a value nested deeper than 100 levels: neither the SDK nor the engine takes any depth
 */
export function plainJson<T>(value: T): Plain<T> {
  return copy(value, 0) as Plain<T>;
}

function copy(value: unknown, depth: number): unknown {
  requireShallow(depth);
  if (typeof value === "bigint") return String(value);
  if (Array.isArray(value)) return value.map((member) => copy(member, depth + 1));
  if (typeof value !== "object" || value === null) return value;
  const members = emptyObject<unknown>();
  for (const [key, member] of Object.entries(value)) members[key] = copy(member, depth + 1);
  return members;
}
