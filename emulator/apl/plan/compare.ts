import { escapeRegex, quote } from "../sql";
import { cast, comparable, isNumeric, type Value } from "../types";

/** Comparisons of two values. SQL's null stands for false here until someone needs a real boolean (`strict`). */
export function compare(op: string, left: Value, right: Value): Value {
  if (op === "==") return equal(left, right);
  if (op === "!=") return different(left, right);
  if (op === "=~" || op === "!~") {
    const same = `lower(${cast(left, "string")}) = lower(${cast(right, "string")})`;
    return op === "=~" ? loose(same) : negate(loose(same));
  }
  if (orderings.has(op)) {
    const [a, b] = alike(left, right);
    return loose(`${a} ${op} ${b}`);
  }
  return textual(op, left, right);
}

const orderings: ReadonlySet<string> = new Set(["<", "<=", ">", ">="]);

export const loose = (sql: string): Value => ({ sql: `(${sql})`, type: "bool", loose: true });

/** Not: what is null counts as false, so its opposite is true. */
export const negate = (value: Value): Value => ({ sql: `(NOT coalesce(${value.sql}, false))`, type: "bool" });

/** A null equals no value; whether two nulls are equal is null. */
export function equal(left: Value, right: Value): Value {
  const [a, b] = alike(left, right);
  return { ...loose(`${a} = ${b}`), exact: `((${a} IS NOT DISTINCT FROM ${b}) AND nullif(${a} IS NOT NULL, false))` };
}

/** A null differs from every value; two nulls are neither equal nor different. */
function different(left: Value, right: Value): Value {
  const [a, b] = alike(left, right);
  const sql = `(${a} IS DISTINCT FROM ${b})`;
  return { sql, type: "bool", loose: true, exact: `(${sql} OR nullif(${a} IS NULL, true))` };
}

/**
 * Both sides as one type. Text beside a number, a boolean, a time or a span is read as that; a dynamic value is read
 * as the type beside it.
 */
export function alike(left: Value, right: Value): readonly [string, string] {
  if (left.type === right.type) {
    return left.type === "dynamic"
      ? [`CAST(${left.sql} AS VARCHAR)`, `CAST(${right.sql} AS VARCHAR)`]
      : [comparable(left), comparable(right)];
  }
  if (left.type === "null") return [cast(left, right.type), comparable(right)];
  if (right.type === "null") return [comparable(left), cast(right, left.type)];
  const kinds = [left.type, right.type];
  const target = readAs.find((type) => kinds.includes(type));
  if (target === "long" || target === "real") {
    const numeric = isNumeric(left.type) && isNumeric(right.type);
    return numeric ? [comparable(left), comparable(right)] : [numberOf(left), numberOf(right)];
  }
  return target === undefined
    ? [cast(left, "string"), cast(right, "string")]
    : [cast(left, target), cast(right, target)];
}

const readAs = ["datetime", "timespan", "real", "long", "bool", "string"] as const;

const numberOf = (value: Value): string => (isNumeric(value.type) ? comparable(value) : cast(value, "real"));

/** Where a term ends: terms are made of letters and digits. */
const edgeClass = "[^\\p{L}\\p{N}]";
const starts = (needle: string) => (/^[\p{L}\p{N}]/u.test(needle) ? `(^|${edgeClass})` : "");
const ends = (needle: string) => (/[\p{L}\p{N}]$/u.test(needle) ? `($|${edgeClass})` : "");

interface Matcher {
  /** SQL for two texts that already have one case if case does not matter. */
  readonly sql?: (text: string, needle: string) => string;
  /** A pattern around the needle, for the operators that look at terms. */
  readonly term?: { readonly start: boolean; readonly end: boolean };
}

const matchers: Readonly<Record<string, Matcher>> = {
  contains: { sql: (text, needle) => `contains(${text}, ${needle})` },
  startswith: { sql: (text, needle) => `starts_with(${text}, ${needle})` },
  endswith: { sql: (text, needle) => `suffix(${text}, ${needle})` },
  has: { term: { start: true, end: true } },
  hasprefix: { term: { start: true, end: false } },
  hassuffix: { term: { start: false, end: true } },
};

function textual(op: string, left: Value, right: Value): Value {
  const negated = op.startsWith("!");
  const caseSensitive = op.endsWith("_cs");
  const name = op.replace(/^!/, "").replace(/_cs$/, "");
  const found =
    name === "matches regex" ? matches(left, right) : matching(matchers[name] ?? {}, left, right, caseSensitive);
  return negated ? negate(found) : found;
}

const matches = (left: Value, right: Value) =>
  loose(`regexp_matches(${cast(left, "string")}, ${cast(right, "string")})`);

function matching({ sql, term }: Matcher, left: Value, right: Value, caseSensitive: boolean): Value {
  const fold = (text: string) => (caseSensitive ? text : `lower(${text})`);
  const text = fold(cast(left, "string"));
  const needle = fold(cast(right, "string"));
  if (sql) return loose(sql(text, needle));
  // The plain search comes first: it is quick, and most rows end there.
  const pattern = termPattern(right, needle, term ?? { start: true, end: true }, caseSensitive);
  return loose(`contains(${text}, ${needle}) AND regexp_matches(${text}, ${pattern})`);
}

/** A constant needle makes a constant pattern, which is compiled once. */
function termPattern(
  right: Value,
  needle: string,
  term: { start: boolean; end: boolean },
  caseSensitive: boolean,
): string {
  const { constant } = right;
  if (typeof constant === "string") {
    const folded = caseSensitive ? constant : constant.toLowerCase();
    return quote(`${term.start ? starts(folded) : ""}${escapeRegex(folded)}${term.end ? ends(folded) : ""}`);
  }
  const edge = (side: "left" | "right", sql: string) =>
    `CASE WHEN regexp_matches(${side}(${needle}, 1), '[\\p{L}\\p{N}]') THEN ${sql} ELSE '' END`;
  const start = term.start ? `${edge("left", quote(`(^|${edgeClass})`))} || ` : "";
  const end = term.end ? ` || ${edge("right", quote(`($|${edgeClass})`))}` : "";
  return `(${start}regexp_escape(${needle})${end})`;
}
