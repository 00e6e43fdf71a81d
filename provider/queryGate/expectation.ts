import { type QueryResponse, type QueryValue, rows, scalar } from "../../sdk";
import { quoteForeignText } from "../../values/foreignText";
import {
  type BoundKey,
  declaredBounds,
  type Expectation,
  expectationMembers,
  type GateValue,
  isNumber,
} from "./bounds";

type Scalar = string | number | boolean | null;

/** The judgement of a response; with a reason if it does not pass. */
export interface Verdict {
  readonly reason?: string;
  readonly value?: GateValue;
}

/** A value as it arrived; an integer beyond 2^53 is exact. */
type Comparable = Scalar | bigint;

/** One kind of bound. All but `equals` get numbers only. */
interface Bound<Limit> {
  describe(limit: Limit): string;
  holds(value: Comparable, limit: Limit): boolean;
}

const bounds: { readonly [Key in BoundKey]-?: Bound<NonNullable<Expectation[Key]>> } = {
  min: { describe: (min) => `at least ${min}`, holds: (value: number, min) => value >= min },
  max: { describe: (max) => `at most ${max}`, holds: (value: number, max) => value <= max },
  equals: {
    describe: (limit) => JSON.stringify(limit),
    // An integer beyond 2^53 is shown as text, and is declared so where it must be exact.
    holds: (value, limit) => value === limit || (typeof value === "bigint" && String(value) === String(limit)),
  },
};

/** The bounds in words. */
export function describeExpectation(expect: Expectation): string {
  const parts = declaredBounds(expect).map((key) => boundOf(key).describe(expect[key]));
  return `${expect.column === undefined ? "" : `${expect.column} in every row `}${parts.join(" and ")}`;
}

/** The reason that quotes neither the response nor a bound. */
export const noDataReason = "there is no data";

/** Judges a response. Whatever is not clearly within the bounds does not pass. */
export function judge(response: QueryResponse, expect: Expectation, noData: "fail" | "pass"): Verdict {
  const found = rows(response);
  const none: Verdict = noData === "pass" ? {} : { reason: noDataReason };
  if (found.length === 0) return none;
  const { column } = expect;
  if (column === undefined || column === null) {
    const value = readSingleValue(response);
    if (value instanceof Error) return { reason: value.message };
    return value === null ? none : judgeValue(value, expect);
  }
  const missing = found.findIndex((row) => !(column in row));
  if (missing >= 0) return { reason: `row ${missing + 1} of ${found.length} has no column ${column}` };
  const verdicts = found.map((row) => judgeValue(row[column] ?? null, expect));
  const at = verdicts.findIndex(({ reason }) => reason !== undefined);
  const value = verdicts.slice(0, 100).map((verdict) => verdict.value as Scalar);
  return at < 0 ? { value } : { value, reason: `row ${at + 1} of ${found.length}: ${verdicts[at]?.reason}` };
}

function readSingleValue(response: QueryResponse): QueryValue | Error {
  try {
    return scalar(response);
  } catch (e) {
    return e as Error;
  }
}

function judgeValue(found: QueryValue, expect: Expectation): Verdict {
  if (typeof found === "object" && found !== null) return { value: null, reason: "the value is a list or an object" };
  // The state is JSON, which has no such integers.
  const value = typeof found === "bigint" ? String(found) : found;
  const declared = declaredBounds(expect);
  if (declared.length === 0) return { value, reason: "there is no bound" };
  for (const key of declared) {
    const bound = boundOf(key);
    if (expectationMembers[key].judge(expect[key]).length > 0)
      return { value, reason: `the bound ${key} cannot be used` };
    if (key !== "equals" && !isNumber(found) && typeof found !== "bigint")
      return { value, reason: `${quote(value)} is not a number` };
    if (!bound.holds(found, expect[key])) return { value, reason: `the value is ${quote(value)}` };
  }
  return { value };
}

// The table ties each bound to the type of its limit, which a loop over its keys cannot show to the compiler.
const boundOf = (key: BoundKey) => bounds[key] as Bound<unknown>;

/** A value for a message: bounded, one line. */
const quote = (value: Scalar): string => quoteForeignText(JSON.stringify(value)).slice(0, 100);
