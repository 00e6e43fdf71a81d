import type { Expression, ScalarType } from "../ast";
import type { Context } from "../plan/context";
import type { Value } from "../types";

/** What a function gets besides the SQL of its arguments. */
export interface CallSite {
  readonly context: Context;
  readonly at: number;
  readonly values: readonly Value[];
  readonly expressions: readonly Expression[];
}

export interface FunctionSpec {
  readonly params: readonly Param[];
  readonly required: number;
  readonly rest: boolean;
  readonly type: ScalarType | ((values: readonly Value[]) => ScalarType);
  sql(args: readonly string[], site: CallSite): string;
}

/** What an argument is cast to; `any` stays as it is. */
export type Param = ScalarType | "any";

/**
 * A function by its parameters, such as `"string, long?"` or `"...any"`: `?` marks what may be left out, `...` what may be
 * repeated.
 */
export function fn(
  params: string,
  type: FunctionSpec["type"],
  sql: (args: readonly string[], site: CallSite) => string,
): FunctionSpec {
  const parts = params
    .split(",")
    .map((part) => part.trim())
    .filter((part) => part !== "");
  return {
    params: parts.map((part) => part.replace(/^\.\.\.|\?$/g, "") as Param),
    required: parts.filter((part) => !part.endsWith("?")).length,
    rest: parts.at(-1)?.startsWith("...") ?? false,
    type,
    sql,
  };
}

/** A function that is the database's own, under that name. */
export const native = (params: string, type: ScalarType, name: string): FunctionSpec =>
  fn(params, type, (args) => `${name}(${args.join(", ")})`);

/** Outside its domain such a function is null rather than an error. */
export const partial = (params: string, type: ScalarType, name: string): FunctionSpec =>
  fn(params, type, (args) => `TRY(${name}(${args.join(", ")}))`);

export type Functions = Readonly<Record<string, FunctionSpec>>;
