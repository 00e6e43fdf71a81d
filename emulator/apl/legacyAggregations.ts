import type { Expression, NamedExpression } from "./ast";
import { QueryError } from "./errors";
import { as, call, name, nowhere } from "./nodes";
import type { LegacyAggregation } from "./request";

/** The ops of structured requests, each as an aggregation of the query language. */
const functionNames: Readonly<Record<string, string>> = {
  count: "count",
  distinct: "dcount",
  sum: "sum",
  avg: "avg",
  min: "min",
  max: "max",
  topk: "topk",
  percentiles: "percentiles",
  histogram: "histogram",
  stdev: "stdev",
  variance: "variance",
  argmin: "argmin",
  argmax: "argmax",
  makeset: "make_set",
  makelist: "make_list",
  rate: "rate",
};

const defaultArguments: Readonly<Record<string, unknown>> = { topk: 10, histogram: 15, percentiles: [50, 95, 99] };

export function legacyAggregation({ op, field = "", alias, argument }: LegacyAggregation): NamedExpression {
  const fn = Object.hasOwn(functionNames, op) ? functionNames[op] : undefined;
  if (fn === undefined)
    throw new QueryError("unsupported", `the aggregation op ${JSON.stringify(op)} is not supported by the emulator`);
  const label = alias || op;
  if (op === "count" && (field === "" || field === "*")) return as(label, call(fn));
  if (op === "rate" && (field === "" || field === "*")) return as(label, call(fn));
  if (field === "" || field === "*") throw new QueryError("semantic", `the aggregation "${op}" needs a field`);
  const given = argument ?? defaultArguments[op];
  const args = given === undefined ? [] : Array.isArray(given) ? given : [given];
  return as(label, call(fn, name(field), ...args.map((arg) => argumentOf(op, arg))));
}

/** A number, or for argmin and argmax the field of the result. */
function argumentOf(op: string, argument: unknown): Expression {
  if (typeof argument === "string" && op.startsWith("arg")) return name(argument);
  const number = typeof argument === "string" ? Number(argument) : argument;
  if (typeof number === "number" && Number.isFinite(number)) {
    return { kind: "literal", type: Number.isInteger(number) ? "long" : "real", value: String(number), at: nowhere };
  }
  throw new QueryError(
    "semantic",
    `the argument of the aggregation "${op}" is ${JSON.stringify(argument)}: expected a number`,
  );
}
