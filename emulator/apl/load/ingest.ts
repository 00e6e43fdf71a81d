import type { Connection } from "../duckdb";
import { formatInstant, parseInstant } from "../time";
import { isTooLarge, problemOf } from "./event";
import { jsonRows } from "./json";
import type { Incoming } from "./source";

export interface IngestFailure {
  /** The time of the ingest. */
  readonly timestamp: string;
  /** The reason never quotes the event. */
  readonly error: string;
}

export interface Checked {
  /** The good rows as JSON, each with its `_time`. */
  readonly texts: readonly string[];
  readonly failures: readonly IngestFailure[];
}

export interface CheckOptions {
  readonly timeField: string;
  /** Fields to add to each row that lacks them. */
  readonly labels: Readonly<Record<string, unknown>>;
  /** Parses the text of a time. */
  readonly parseTime: (text: string) => bigint | undefined;
  readonly now: bigint;
}

/** Separates the rows that can be stored from the others. */
export function checkRows(rows: readonly unknown[], options: CheckOptions): Checked {
  const checked = rows.map((row) => checkRow(row, options));
  const timestamp = formatInstant(options.now);
  return {
    texts: checked.flatMap((row) => ("text" in row ? row.text : [])),
    failures: checked.flatMap((row) => ("problem" in row ? { timestamp, error: row.problem } : [])),
  };
}

/** A row as JSON with its `_time`, or the reason why it cannot be stored. A row without a time gets the time of the ingest. */
export function checkRow(
  row: unknown,
  { timeField, labels, parseTime, now }: CheckOptions,
): { readonly text: string } | { readonly problem: string } {
  if (typeof row !== "object" || row === null || Array.isArray(row))
    return { problem: "the event must be a JSON object" };
  const problem = problemOf(row);
  if (problem !== undefined) return { problem: `the event cannot be stored: ${problem}` };
  const { [timeField]: given, ...rest } = row as Record<string, unknown>;
  const time = given === undefined || given === null ? now : instantOf(given, parseTime);
  if (time === undefined) return { problem: `${timeField} is not a valid timestamp` };
  const text = JSON.stringify({ ...labels, ...rest, _time: formatInstant(time) });
  return isTooLarge(text) ? { problem: "the event cannot be stored: it has more than 1 MB" } : { text };
}

/** Years that RFC 3339 can write. */
const earliest = parseInstant("0001-01-01") ?? 0n;
const latest = parseInstant("9999-12-31T23:59:59.999999Z") ?? 0n;

/** A number is seconds, milliseconds, microseconds or nanoseconds since 1970, depending on its size. */
function instantOf(value: unknown, parseTime: CheckOptions["parseTime"]): bigint | undefined {
  const micros = typeof value === "string" ? parseTime(value) : microsOfNumber(value);
  return micros !== undefined && micros >= earliest && micros <= latest ? micros : undefined;
}

function microsOfNumber(given: unknown): bigint | undefined {
  // An exact integer is an object.
  const value = typeof given === "object" ? Number(JSON.stringify(given)) : given;
  if (typeof value !== "number" || !Number.isFinite(value)) return undefined;
  const size = Math.abs(value);
  if (size >= 9e18) return undefined;
  const scale = size < 1e11 ? 1e6 : size < 1e14 ? 1e3 : size < 1e17 ? 1 : 1e-3;
  return BigInt(Math.round(value * scale));
}

/** The temporary table of rows that are about to be stored. */
export const staged = "staged";

/** Puts rows into a new temporary table. */
export async function stage(connection: Connection, texts: readonly string[]): Promise<void> {
  await connection.run(`CREATE OR REPLACE TEMP TABLE ${staged} (json VARCHAR)`);
  await connection.appendStrings(staged, texts);
}

export const stagedRows = (connection: Connection): Promise<Incoming> =>
  jsonRows(connection, `(SELECT CAST(json AS JSON) AS json FROM temp.${staged})`);
