import { escapeRegex, quote } from "../sql";
import { cast, type Value } from "../types";
import { compare, looseCondition } from "./compare";
import type { Context } from "./context";
import type { Column } from "./relation";
import type { Scope } from "./scope";

/** Separates the texts of two fields: neither a letter nor a digit, and never in a search text. */
const separator = "\u001f";

/** Text operators that have the same result on the joined texts of all fields as on each field. */
const joinable = /^(contains|has|hasprefix|hassuffix)(_cs)?$/;

/** Whether a test is true for at least one field. A constant text is searched once, in all fields together. */
export function testAnyField(
  context: Context,
  scope: Scope,
  at: number,
  test: (field: Value) => Value,
  textual?: { readonly op: string; readonly needle: Value },
): Value {
  if (!scope.relation) return context.fail("semantic", "* matches no fields here", at);
  const fields = scope.relation.columns.filter(({ name }) => name !== "_sysTime");
  const needle = textual?.needle.constant;
  const isJoinable = textual && joinable.test(textual.op) && typeof needle === "string" && !needle.includes(separator);
  if (isJoinable && needle !== "") return testAllTexts(fields, textual.op, textual.needle, needle);
  return looseCondition(fields.length === 0 ? "false" : fields.map((field) => test(field).sql).join(" OR "));
}

/** A word of `search`. The positions of its wildcards determine the operator. */
export function testTerm(context: Context, scope: Scope, field: Value | undefined, text: string, at: number): Value {
  const body = text.replaceAll(/^\*|\*$/g, "");
  if (body === "") return looseCondition("true");
  const fold = scope.caseSensitive ? "" : "(?i)";
  if (body.includes("*")) {
    // A wildcard matches within one field.
    const pattern = `${fold}\\b${body.split("*").map(escapeRegex).join(`[^\\n${separator}]*`)}\\b`;
    const value: Value = { type: "string", sql: quote(pattern), constant: pattern };
    const match = (of: Value) => compare("matches regex", of, value);
    if (field) return match(field);
    return scope.relation ? match(textOfAll(scope.relation.columns)) : testAnyField(context, scope, at, match);
  }
  const [start, end] = [text.startsWith("*"), text.endsWith("*") && text.length > 1];
  const folding = start && end ? "contains" : start ? "hassuffix" : end ? "hasprefix" : "has";
  const op = scope.caseSensitive ? `${folding}_cs` : folding;
  const needle: Value = { type: "string", sql: quote(body), constant: body };
  const test = (of: Value) => compare(op, of, needle);
  return field ? test(field) : testAnyField(context, scope, at, test, { op, needle });
}

const testAllTexts = (fields: readonly Column[], op: string, needle: Value, text: string): Value =>
  compare(op, textOfAll(fields.filter(({ type }) => mayContain(type, text))), needle);

const textOfAll = (fields: readonly Column[]): Value => {
  const texts = fields.filter(({ name }) => name !== "_sysTime").map((field) => cast(field, "string"));
  return { type: "string", sql: texts.length === 0 ? "''" : `concat_ws(${[quote(separator), ...texts].join(", ")})` };
};

/** The characters in values of a type: a text with other characters cannot occur in them. */
const alphabets: Partial<Record<Column["type"], RegExp>> = {
  long: /^[\d-]+$/,
  real: /^[\dinfa.e+-]+$/i,
  bool: /^[truefals]+$/i,
  datetime: /^[\dtz:.-]+$/i,
  timespan: /^[\dhmsnµu.-]+$/i,
};

const mayContain = (type: Column["type"], text: string): boolean =>
  type !== "null" && (alphabets[type]?.test(text) ?? true);
