import type { Expression } from "./ast";
import { QueryError } from "./errors";
import { call, literalOf, name, nowhere } from "./nodes";
import type { LegacyFilter } from "./request";

const compare = (op: string, left: Expression, right: Expression): Expression => ({
  kind: "compare",
  op,
  left,
  right,
  at: nowhere,
});

/** Each comparison by its name; its sign stands for it, too. */
const comparisons: Readonly<Record<string, string>> = { gt: ">", gte: ">=", lt: "<", lte: "<=", eq: "==", ne: "!=" };
const signs: ReadonlySet<string> = new Set(Object.values(comparisons));

/** The equalities of texts that ignore case. */
const foldedComparisons: Readonly<Record<string, string>> = { "==": "=~", "!=": "!~" };

const textTests: Readonly<Record<string, string>> = {
  "starts-with": "startswith",
  "ends-with": "endswith",
  contains: "contains",
};

/** Converts a filter of a structured request to a condition of the query language. */
export function filterExpression(filter: LegacyFilter, depth = 0): Expression {
  const { op, children = [], field = "" } = filter;
  if (depth > 60) throw new QueryError("semantic", "the filter has more than 60 levels");
  if (op === "and" || op === "or" || op === "not") {
    const items = children.map((child) => filterExpression(child, depth + 1));
    if (items.length === 0) throw new QueryError("semantic", `the filter "${op}" has no children`);
    const joined: Expression = { kind: "logic", op: op === "or" ? "or" : "and", items, at: nowhere };
    return op === "not" ? call("not", joined) : joined;
  }
  if (field === "") throw new QueryError("semantic", `the filter "${op}" has no field`);
  return test(filter, field);
}

function test({ op, value, caseSensitive = false }: LegacyFilter, field: string): Expression {
  const left = name(field);
  if (op === "exists") return call("isnotnull", left);
  if (op === "not-exists") return call("isnull", left);
  const comparison = comparisons[op] ?? op;
  if (signs.has(comparison)) {
    const folded = !caseSensitive && typeof value === "string" ? foldedComparisons[comparison] : undefined;
    return compare(folded ?? comparison, left, literal(value, op));
  }
  const positive = op.replace(/^not-/, "");
  const negation = op === positive ? "" : "!";
  if (positive === "regexp") {
    return compare(`${negation}matches regex`, left, literalOf(`${caseSensitive ? "" : "(?i)"}${String(value)}`));
  }
  const textual = textTests[positive];
  if (textual) return compare(`${negation}${textual}${caseSensitive ? "_cs" : ""}`, left, literal(value, op));
  throw new QueryError("unsupported", `the filter op ${JSON.stringify(op)} is not supported by the emulator`);
}

function literal(value: unknown, op: string): Expression {
  const isPlain = value === null || ["string", "boolean"].includes(typeof value) || Number.isFinite(value);
  if (isPlain) return literalOf(value);
  throw new QueryError("semantic", `the filter "${op}" has no value it can compare with`);
}
