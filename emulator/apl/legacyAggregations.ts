import type { Expression, NamedExpression } from "./ast";
import { QueryError } from "./errors";
import { as, call, literalOf, name } from "./nodes";
import type { LegacyAggregation } from "./request";

/** The ops of structured requests; those with another name in the query language are in the second list. */
const ops: ReadonlySet<string> = new Set(
  "count distinct sum avg min max topk percentiles histogram stdev variance argmin argmax makeset makelist rate".split(
    " ",
  ),
);
const otherNames = new Map([
  ["distinct", "dcount"],
  ["makeset", "make_set"],
  ["makelist", "make_list"],
]);

const defaultArguments: Readonly<Record<string, unknown>> = { topk: 10, histogram: 15, percentiles: [50, 95, 99] };

export function legacyAggregation({ op, field = "", alias, argument }: LegacyAggregation): NamedExpression {
  if (!ops.has(op))
    throw new QueryError("unsupported", `the aggregation op ${JSON.stringify(op)} is not supported by the emulator`);
  const fn = otherNames.get(op) ?? op;
  const label = alias || op;
  if (field === "" || field === "*") {
    if (op === "count" || op === "rate") return as(label, call(fn));
    throw new QueryError("semantic", `the aggregation "${op}" needs a field`);
  }
  const given = argument ?? defaultArguments[op];
  const args = given === undefined ? [] : Array.isArray(given) ? given : [given];
  return as(label, call(fn, name(field), ...args.map((arg) => argumentOf(op, arg))));
}

/** A number, or for argmin and argmax the field of the result. */
function argumentOf(op: string, argument: unknown): Expression {
  if (typeof argument === "string" && op.startsWith("arg")) return name(argument);
  const number = typeof argument === "string" ? Number(argument) : argument;
  if (Number.isFinite(number)) return literalOf(number);
  throw new QueryError(
    "semantic",
    `the argument of the aggregation "${op}" is ${JSON.stringify(argument)}: expected a number`,
  );
}
