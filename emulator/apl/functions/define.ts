import type { Expression, ScalarType } from "../ast";
import { type ComputedFunction, type Parameters, parseParameters, sqlNameOf } from "../computed/define";
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

export interface FunctionSpec extends Parameters {
  readonly type: ScalarType | ((values: readonly Value[]) => ScalarType);
  sql(args: readonly string[], site: CallSite): string;
}

export const fn = (params: string, type: FunctionSpec["type"], sql: FunctionSpec["sql"]): FunctionSpec => ({
  ...parseParameters(params),
  type,
  sql,
});

/** A function that the database has under this name. */
export const nativeFunction = (params: string, type: ScalarType, name: string): FunctionSpec =>
  fn(params, type, (args) => `${name}(${args.join(", ")})`);

/** A function of the database whose result is NaN outside its domain. */
export const domainFunction = (name: string): FunctionSpec =>
  fn("real", "real", ([x]) => `coalesce(TRY(${name}(${x})), ${x} * 'nan'::DOUBLE)`);

/** A function that is computed outside the database. */
export const computedFunction = (name: string, spec: ComputedFunction): FunctionSpec => ({
  ...spec,
  sql(args, { context, values }) {
    const texts = values.map((value, i) => (spec.params[i] === "any" ? cast(value, "dynamic") : args[i]));
    return callComputed(
      context,
      name,
      spec.type,
      texts.map((text) => `CAST(${text} AS VARCHAR)`),
    );
  },
});

/** SQL that calls a computed function, whose arguments and result are texts. */
export function callComputed(context: Context, name: string, type: ScalarType, args: readonly string[]): string {
  context.computes = true;
  const result = `${sqlNameOf(name)}(${args.join(", ")})`;
  return type === "string" ? result : `CAST(${result} AS ${sqlTypes[type]})`;
}

/** Does not occur in real texts. */
const standIn = quote("\u001f\ue000\u001f");

/**
 * Joins texts. The database can do this only with a constant delimiter: for an empty list, its reduction uses the delimiter of
 * another row.
 */
export const joinTexts = (list: string, delimiter: string, given: Value | undefined): string =>
  given === undefined || given.constant !== undefined
    ? `array_to_string(${list}, ${delimiter})`
    : `replace(array_to_string(${list}, ${standIn}), ${standIn}, coalesce(${delimiter}, ''))`;

export type Functions = Readonly<Record<string, FunctionSpec>>;
