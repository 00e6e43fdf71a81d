import { escapeRegex, quote } from "../sql";
import { cast, comparable, isNumeric, type Value } from "../types";

/** Compares two values. The result may be SQL's null instead of false, until `strictCondition` converts it. */
export function compare(op: string, left: Value, right: Value): Value {
  if (op === "==") return compareEqual(left, right);
  if (op === "!=") return compareDifferent(left, right);
  if (op === "=~" || op === "!~") {
    const same = `lower(${cast(left, "string")}) = lower(${cast(right, "string")})`;
    return op === "=~" ? looseCondition(same) : negate(looseCondition(same));
  }
  if (orderings.has(op)) {
    const [a, b] = unifySides(left, right);
    return looseCondition(`${a} ${op} ${b}`);
  }
  return compareTexts(op, left, right);
}

const orderings: ReadonlySet<string> = new Set(["<", "<=", ">", ">="]);

export const looseCondition = (sql: string): Value => ({ sql: `(${sql})`, type: "bool", loose: true });

/** Negates a condition. Null counts as false, so its negation is true. */
export const negate = (value: Value): Value => ({ sql: `(NOT coalesce(${value.sql}, false))`, type: "bool" });

/** A null equals no value; comparing two nulls gives null. */
export function compareEqual(left: Value, right: Value): Value {
  const [a, b] = unifySides(left, right);
  return {
    ...looseCondition(`${a} = ${b}`),
    exact: `((${a} IS NOT DISTINCT FROM ${b}) AND nullif(${a} IS NOT NULL, false))`,
  };
}

/** A null differs from every value; two nulls are neither equal nor different. */
function compareDifferent(left: Value, right: Value): Value {
  const [a, b] = unifySides(left, right);
  const sql = `(${a} IS DISTINCT FROM ${b})`;
  return { sql, type: "bool", loose: true, exact: `(${sql} OR nullif(${a} IS NULL, true))` };
}

/**
 * Casts both sides to one type. Text beside a number, a boolean, a time or a span is parsed as that type; a dynamic value is
 * cast to the type of the other side.
 */
export function unifySides(left: Value, right: Value): readonly [string, string] {
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

/** The edge of a term: terms consist of letters and digits. */
const edgeClass = "[^\\p{L}\\p{N}]";
const starts = (needle: string) => (/^[\p{L}\p{N}]/u.test(needle) ? `(^|${edgeClass})` : "");
const ends = (needle: string) => (/[\p{L}\p{N}]$/u.test(needle) ? `($|${edgeClass})` : "");

interface Matcher {
  /** SQL for two texts, which are already in lower case if the case is ignored. */
  readonly sql?: (text: string, needle: string) => string;
  /** Whether the operator requires the start and the end of a term. */
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

function compareTexts(op: string, left: Value, right: Value): Value {
  const negated = op.startsWith("!");
  const caseSensitive = op.endsWith("_cs");
  const name = op.replace(/^!/, "").replace(/_cs$/, "");
  const found =
    name === "matches regex" ? matchRegex(left, right) : matchText(matchers[name] ?? {}, left, right, caseSensitive);
  return negated ? negate(found) : found;
}

const matchRegex = (left: Value, right: Value) =>
  looseCondition(`regexp_matches(${cast(left, "string")}, ${cast(right, "string")})`);

function matchText({ sql, term }: Matcher, left: Value, right: Value, caseSensitive: boolean): Value {
  const fold = (text: string) => (caseSensitive ? text : `lower(${text})`);
  const text = fold(cast(left, "string"));
  const needle = fold(cast(right, "string"));
  if (sql) return looseCondition(sql(text, needle));
  // The plain search comes first: it is fast and excludes most rows.
  const pattern = termPattern(right, needle, term ?? { start: true, end: true }, caseSensitive);
  return looseCondition(`contains(${text}, ${needle}) AND regexp_matches(${text}, ${pattern})`);
}

/** A constant search text becomes a constant pattern, which is compiled once. */
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
