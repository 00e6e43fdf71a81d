import type { Tell } from "../../framework/lifecycle";
import { findMissingField } from "../../gate/messages";
import type { QueryStatus, QueryValue } from "../../sdk";
import { warningsOf } from "../../sdk/queries/warnings";
import { emptyObject, isObject, type Json, requireShallow } from "../../values/json";

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
 * The result of a query as the engine can keep it. Doubts about the result are shown as warnings of the program.
 * @throws Error if a field does not exist, whether the service refuses it or warns of it, and for events nested deeper than 100
 *   levels: neither the SDK nor the engine takes any depth
 */
export async function finishQuery<Result extends { readonly status: QueryStatus }>(
  result: Result,
  warn: Tell["warn"],
): Promise<Plain<Result>> {
  const missing = findMissingField(result);
  if (missing !== undefined) throw new Error(missing);
  for (const warning of warningsOf(result)) await warn(warning);
  try {
    return withoutBigints(result, 0) as Plain<Result>;
  } catch (failure) {
    throw new Error(`the result is ${(failure as RangeError).message}: query fewer fields`, { cause: failure });
  }
}

function withoutBigints(value: unknown, depth: number): unknown {
  requireShallow(depth);
  if (typeof value === "bigint") return String(value);
  if (Array.isArray(value)) return value.map((member) => withoutBigints(member, depth + 1));
  if (!isObject(value)) return value;
  const members = emptyObject<unknown>();
  for (const [key, member] of Object.entries(value)) members[key] = withoutBigints(member, depth + 1);
  return members;
}
