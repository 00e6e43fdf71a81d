import type { Expression } from "./ast";
import { QueryError } from "./errors";
import { call, literalOf, name, nowhere, text } from "./nodes";
import type { LegacyFilter } from "./request";

const compare = (op: string, left: Expression, right: Expression): Expression => ({
  kind: "compare",
  op,
  left,
  right,
  at: nowhere,
});

const orderings: Readonly<Record<string, string>> = {
  ">": ">",
  gt: ">",
  ">=": ">=",
  gte: ">=",
  "<": "<",
  lt: "<",
  "<=": "<=",
  lte: "<=",
};

const equalities: Readonly<Record<string, string>> = { "==": "==", eq: "==", "!=": "!=", ne: "!=" };

const textTests: Readonly<Record<string, string>> = {
  "starts-with": "startswith",
  "ends-with": "endswith",
  contains: "contains",
};

/** A filter of a structured request as a condition of the query language. */
export function filterExpression(filter: LegacyFilter, depth = 0): Expression {
  const { op, children = [], field = "" } = filter;
  if (depth > 60) throw new QueryError("semantic", "the filter has more than 60 levels");
  if (op === "and" || op === "or" || op === "not") {
    const items = children.map((child) => filterExpression(child, depth + 1));
    if (items.length === 0) throw new QueryError("semantic", `the filter "${op}" has no children`);
    const joined: Expression = { kind: "logic", op: op === "or" ? "or" : "and", items, at: nowhere };
    return op === "not" ? call("not", joined) : joined;
  }
  if (field === "") throw new QueryError("semantic", `the filter "${op}" names no field`);
  return test(filter, field);
}

function test({ op, value, caseSensitive = false }: LegacyFilter, field: string): Expression {
  const left = name(field);
  if (op === "exists") return call("isnotnull", left);
  if (op === "not-exists") return call("isnull", left);
  const ordering = orderings[op];
  if (ordering) return compare(ordering, left, literal(value, op));
  const equality = equalities[op];
  if (equality) {
    const folded = equality === "==" ? "=~" : "!~";
    return compare(!caseSensitive && typeof value === "string" ? folded : equality, left, literal(value, op));
  }
  const positive = op.replace(/^not-/, "");
  const negation = op === positive ? "" : "!";
  if (positive === "regexp") {
    return compare(`${negation}matches regex`, left, text(`${caseSensitive ? "" : "(?i)"}${String(value)}`));
  }
  const textual = textTests[positive];
  if (textual) return compare(`${negation}${textual}${caseSensitive ? "_cs" : ""}`, left, literal(value, op));
  throw new QueryError("unsupported", `the filter op ${JSON.stringify(op)} is not supported by the emulator`);
}

function literal(value: unknown, op: string): Expression {
  const isPlain = value === null || ["string", "boolean"].includes(typeof value) || Number.isFinite(value);
  if (isPlain) return literalOf(value, nowhere);
  throw new QueryError("semantic", `the filter "${op}" has no value it can compare with`);
}
