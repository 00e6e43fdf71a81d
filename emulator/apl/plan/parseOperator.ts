import type { OperatorOf, ParsePart, ScalarType } from "../ast";
import { escapeRegex, quote } from "../sql";
import { cast } from "../types";
import type { Context } from "./context";
import { planExpression } from "./expression";
import { findType } from "./literal";
import { addColumns, type Column, type Relation } from "./relation";
import { scopeOf } from "./scope";

interface Capture {
  readonly name: string;
  readonly type: ScalarType;
}

/** `parse x with "from " a " to " b: long *`: one regular expression, one group for each new column. */
export function parseOperator(context: Context, input: Relation, node: OperatorOf<"parse">): Relation {
  const text = cast(planExpression(context, scopeOf(input), node.value), "string");
  const captures: Capture[] = node.pattern.flatMap((part) =>
    part.kind === "column"
      ? [{ name: part.name, type: part.type === null ? "string" : findType(context, part.type, part.at) }]
      : [],
  );
  const pattern = quote(patternOf(context, node));
  const matched = context.newName();
  const found = captures.map(({ type }, i) => ({
    sql: context.newName(),
    value: cast({ type: "string", sql: `regexp_extract(${text}, ${pattern}, ${i + 1})` }, type),
  }));
  const selects = [
    `coalesce(regexp_matches(${text}, ${pattern}), false) AS ${matched}`,
    ...found.map(({ sql, value }) => `${value} AS ${sql}`),
  ];
  const first = context.addStep(`SELECT *, ${selects.join(", ")} FROM ${input.from}`);
  // A value of another type invalidates the whole match, unless the mode is relaxed.
  const sound = [matched, ...(node.mode === "relaxed" ? [] : found.map(({ sql }) => `${sql} IS NOT NULL`))].join(
    " AND ",
  );
  const columns = captures.map(({ name, type }): Column => ({ name, type, sql: context.newName() }));
  const kept = columns.map(({ sql }, i) => `CASE WHEN ${sound} THEN ${found[i]?.sql} END AS ${sql}`);
  const filter = node.required ? ` WHERE ${sound}` : "";
  const select = `SELECT ${["*", ...kept].join(", ")} FROM ${first}${filter}`;
  return addColumns(input, context.addStep(select), columns);
}

const typedPatterns: Partial<Record<ScalarType, string>> = {
  long: "\\s*([+-]?\\d+)\\s*?",
  real: "\\s*([+-]?\\d*\\.?\\d+(?:[eE][+-]?\\d+)?)\\s*?",
  bool: "\\s*(true|false)\\s*?",
};

function patternOf(context: Context, { pattern, mode, at }: OperatorOf<"parse">): string {
  const adjacent = pattern.some(
    (part, i) => part.kind === "column" && pattern[i + 1]?.kind === "column" && !typedColumn(part),
  );
  if (adjacent) context.fail("semantic", "two fields of parse need a text between them", at);
  const piece = (part: ParsePart, i: number): string => {
    if (part.kind === "skip") return i === pattern.length - 1 ? "" : ".*?";
    if (part.kind === "text")
      return mode === "regex" ? `(?:${part.value.replaceAll(/\((?!\?)/g, "(?:")})` : escapeRegex(part.value);
    const strict =
      part.type === null || mode !== "simple" ? undefined : typedPatterns[findType(context, part.type, part.at)];
    return strict ?? (i === pattern.length - 1 ? "(.*)" : "(.*?)");
  };
  const ends = pattern.at(-1)?.kind === "skip" ? "" : "$";
  return `(?s)^${pattern.map(piece).join("")}${ends}`;
}

const typedColumn = (part: ParsePart) => part.kind === "column" && part.type !== null && part.type !== "string";
