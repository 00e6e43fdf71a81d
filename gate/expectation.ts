import { type QueryResponse, type QueryValue, rows, scalar } from "../sdk";
import { quoteForeignText } from "../sdk/foreignText";

/** Bounds for a value: at least one is required, and the value must meet all that are given. */
export interface Bounds {
  /** Name of the column whose values must be within the bounds in every row. Without it, the result must be a single value. */
  readonly column?: string | undefined;
  readonly min?: number | undefined;
  readonly max?: number | undefined;
  readonly equals?: string | number | boolean | undefined;
}

type Scalar = string | number | boolean | null;

/**
 * The recorded value: the single value, or the first hundred values of the column. The type is spelled out, because it is the
 * type of an output, and programs could not import a type that it names.
 */
export type GateValue = string | number | boolean | null | readonly (string | number | boolean | null)[];

/** The verdict on a response, with a reason if it does not pass. */
export interface Verdict {
  readonly reason?: string;
  readonly value?: GateValue;
}

/** The bounds in words. */
export function describeExpectation({ column, min, max, equals }: Bounds): string {
  const bounds = [
    min !== undefined && `at least ${min}`,
    max !== undefined && `at most ${max}`,
    equals !== undefined && JSON.stringify(equals),
  ];
  return `${column === undefined ? "" : `${column} in every row `}${bounds.filter(Boolean).join(" and ")}`;
}

/** A reason that quotes neither the response nor a bound. */
export const noDataReason = "there is no data";

/** Judges a response. It passes if every value is within the bounds, or if there is no data and `noData` is "pass". */
export function judge(response: QueryResponse, bounds: Bounds, noData: "fail" | "pass"): Verdict {
  const found = rows(response);
  const none: Verdict = noData === "pass" ? {} : { reason: noDataReason };
  if (found.length === 0) return none;
  const { column } = bounds;
  if (column === undefined || column === null) {
    try {
      const value = scalar(response);
      return value === null ? none : judgeValue(value, bounds);
    } catch (e) {
      return { reason: (e as Error).message };
    }
  }
  const missing = found.findIndex((row) => !(column in row));
  if (missing >= 0) return { reason: `row ${missing + 1} of ${found.length} has no column ${column}` };
  const verdicts = found.map((row) => judgeValue(row[column] ?? null, bounds));
  const at = verdicts.findIndex(({ reason }) => reason !== undefined);
  const value = verdicts.slice(0, 100).map((verdict) => verdict.value as Scalar);
  return at < 0 ? { value } : { value, reason: `row ${at + 1} of ${found.length}: ${verdicts[at]?.reason}` };
}

function judgeValue(found: QueryValue, { min, max, equals }: Bounds): Verdict {
  if (typeof found === "object" && found !== null) return { value: null, reason: "the value is a list or an object" };
  // The state is JSON, which has no such integers.
  const value = typeof found === "bigint" ? String(found) : found;
  // An integer beyond 2^53 is shown as text, and is declared so where it must be exact.
  const isEqual = equals === undefined || found === equals || (typeof found === "bigint" && value === String(equals));
  const isWithin = (number: number | bigint) =>
    (min === undefined || number >= min) && (max === undefined || number <= max);
  const isBounded = (min ?? max) !== undefined;
  if (isBounded && !Number.isFinite(found) && typeof found !== "bigint")
    return { value, reason: `${quote(value)} is not a number` };
  const passes = isEqual && (!isBounded || isWithin(found as number | bigint));
  return passes ? { value } : { value, reason: `the value is ${quote(value)}` };
}

/** A value for a message: bounded, one line. */
const quote = (value: Scalar): string => quoteForeignText(JSON.stringify(value)).slice(0, 100);
