import { type Answer, type QueryValue, rows, scalar } from "../../../sdk";
import { quoteForeignText } from "../../../sdk/values/foreignText";
import { checkFields, nonEmptyText, type Rule, ruleOf } from "../fields";

/** What the value of a query must be. All bounds that are given must hold. */
export interface Expectation {
  /** A column, whose value must hold in every row. Left out, the answer must be a single value. */
  readonly column?: string;
  /** The smallest value that passes. */
  readonly min?: number;
  /** The largest value that passes. */
  readonly max?: number;
  /** The one value that passes: of the same type, and texts letter by letter. */
  readonly equals?: string | number | boolean;
  /** The smallest and the largest value that pass. */
  readonly between?: readonly [number, number];
}

/** A value as it is recorded: the single one, or those of the column, the first hundred of them. */
export type GateValue = Scalar | readonly Scalar[];

type Scalar = string | number | boolean | null;

/** What an answer is worth. A reason says why it does not pass. */
export interface Verdict {
  readonly reason?: string;
  readonly value?: GateValue;
}

const isNumber = (value: unknown): value is number => typeof value === "number" && Number.isFinite(value);
const ordered = ([a = 0, b = 0]: readonly number[]): boolean => a <= b;
const number = ruleOf("must be a number", isNumber);

const rules = {
  column: nonEmptyText,
  min: number,
  max: number,
  equals: ruleOf(
    "must be a string, a number or a boolean",
    (value) => isNumber(value) || /^(string|boolean)$/.test(typeof value),
  ),
  between: ruleOf(
    "must be two numbers, the smaller one first",
    (value) => Array.isArray(value) && value.length === 2 && value.every(isNumber) && ordered(value),
  ),
};

const bounds = ["min", "max", "equals", "between"] as const;

/** The rule for an expectation: known members, at least one bound, and bounds that a value can meet. */
export const expectation: Rule = (value) => {
  if (typeof value !== "object" || value === null || Array.isArray(value)) {
    return [{ reason: `must be an object with ${Object.keys(rules).join(", ")}` }];
  }
  const failures = checkFields(rules, value as Record<string, unknown>);
  if (failures.length > 0) return failures.map(({ property, reason }) => ({ at: property, reason }));
  const { min, max } = value as Expectation;
  if (bounds.every((key) => (value as Expectation)[key] === undefined)) {
    return [{ reason: `must have a bound: ${bounds.join(", ")}` }];
  }
  return min !== undefined && max !== undefined && min > max ? [{ at: "min", reason: "must not be above max" }] : [];
};

/** The bounds in words. */
export function inWords({ column, min, max, equals, between }: Expectation): string {
  const parts = [
    min !== undefined && `at least ${min}`,
    max !== undefined && `at most ${max}`,
    equals !== undefined && JSON.stringify(equals),
    between !== undefined && `between ${between[0]} and ${between[1]}`,
  ].filter(Boolean);
  return `${column === undefined ? "" : `${column} in every row `}${parts.join(" and ")}`;
}

/** Judges an answer. Whatever is not clearly within the bounds does not pass. */
export function judge(answer: Answer, expect: Expectation, noData: "fail" | "pass"): Verdict {
  const found = rows(answer);
  const none: Verdict = noData === "pass" ? {} : { reason: "there is no data" };
  if (found.length === 0) return none;
  const { column } = expect;
  if (column === undefined) {
    const value = single(answer);
    if (value instanceof Error) return { reason: value.message };
    return value === null ? none : judgeOne(value, expect);
  }
  const missing = found.findIndex((row) => !(column in row));
  if (missing >= 0) return { reason: `row ${missing + 1} of ${found.length} has no column ${column}` };
  const verdicts = found.map((row) => judgeOne(row[column] ?? null, expect));
  const at = verdicts.findIndex(({ reason }) => reason !== undefined);
  const value = verdicts.slice(0, 100).map((verdict) => verdict.value as Scalar);
  return at < 0 ? { value } : { value, reason: `row ${at + 1} of ${found.length}: ${verdicts[at]?.reason}` };
}

function single(answer: Answer): QueryValue | Error {
  try {
    return scalar(answer);
  } catch (e) {
    return e as Error;
  }
}

function judgeOne(found: QueryValue, { min, max, equals, between }: Expectation): Verdict {
  // The state is JSON, which has no such integers.
  const value = typeof found === "bigint" ? Number(found) : found;
  if (typeof value === "object" && value !== null) return { value: null, reason: "the value is a list or an object" };
  const numeric = min !== undefined || max !== undefined || between !== undefined;
  if (numeric && !isNumber(value)) return { value, reason: `${shown(value)} is no number` };
  const n = value as number;
  const holds =
    !(min !== undefined && n < min) &&
    !(max !== undefined && n > max) &&
    !(between && (n < between[0] || n > between[1])) &&
    (equals === undefined || value === equals);
  return holds ? { value } : { value, reason: `the value is ${shown(value)}` };
}

/** A value for a message: bounded, one line. */
const shown = (value: Scalar): string => quoteForeignText(JSON.stringify(value)).slice(0, 100);
