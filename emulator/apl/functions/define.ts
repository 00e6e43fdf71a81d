import type { Expression, ScalarType } from "../ast";
import { type ComputedFunction, parametersOf, sqlNameOf } from "../computed/define";
import type { Context } from "../plan/context";
import { quote } from "../sql";
import { cast, sqlTypes, type Value } from "../types";

/** The context of a call, in addition to the SQL of its arguments. */
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

/** The type to which an argument is cast; `any` is not cast. */
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

/** A function of the database with this name. */
export const nativeFunction = (params: string, type: ScalarType, name: string): FunctionSpec =>
  fn(params, type, (args) => `${name}(${args.join(", ")})`);

/** A function of the database whose result is NaN outside of its domain. */
export const domainFunction = (name: string): FunctionSpec =>
  fn("real", "real", ([x]) => `coalesce(TRY(${name}(${x})), ${x} * 'nan'::DOUBLE)`);

/** A function that is computed outside of the database. */
export function computedFunction(name: string, spec: ComputedFunction): FunctionSpec {
  const parameters = parametersOf(spec);
  return {
    params: parameters.map(() => "any"),
    required: parameters.filter(({ isOptional }) => !isOptional).length,
    rest: false,
    type: spec.type,
    sql: (_, { context, values }) =>
      callComputed(
        context,
        name,
        spec.type,
        values.map((value, i) => {
          const kind = parameters[i]?.kind ?? "any";
          return `CAST(${cast(value, kind === "any" ? "dynamic" : kind)} AS VARCHAR)`;
        }),
      ),
  };
}

/** SQL of a call of a computed function; its arguments and its result are texts. */
export function callComputed(context: Context, name: string, type: ScalarType, args: readonly string[]): string {
  context.computes = true;
  const result = `${sqlNameOf(name)}(${args.join(", ")})`;
  return type === "string" ? result : `CAST(${result} AS ${sqlTypes[type]})`;
}

/** Does not occur in real texts. */
const standIn = quote("\u001f\ue000\u001f");

/** Joins texts. The database does so by a constant only; its reduction takes another row's delimiter where a list is empty. */
export const joinTexts = (list: string, delimiter: string, given: Value | undefined): string =>
  given === undefined || given.constant !== undefined
    ? `array_to_string(${list}, ${delimiter})`
    : `replace(array_to_string(${list}, ${standIn}), ${standIn}, coalesce(${delimiter}, ''))`;

export type Functions = Readonly<Record<string, FunctionSpec>>;
