import { defined } from "../defined";
import type { Connection } from "../duckdb";
import { formatInstant, parseInstant } from "../time";
import { isTooLarge, problemOf } from "./event";
import { jsonRows } from "./json";
import type { Incoming } from "./source";

export interface IngestFailure {
  /** The time of the ingest. */
  readonly timestamp: string;
  /** Never quotes the event. */
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

/** Separates the rows that can be stored from the others. A row without a time gets the time of the ingest. */
export function checkRows(rows: readonly unknown[], options: CheckOptions): Checked {
  const { timeField, labels, now } = options;
  const texts: string[] = [];
  const failures: IngestFailure[] = [];
  const fail = (error: string) => failures.push({ timestamp: formatInstant(now), error });
  for (const row of rows) {
    if (typeof row !== "object" || row === null || Array.isArray(row)) {
      fail("the event must be a JSON object");
      continue;
    }
    const problem = problemOf(row);
    if (problem !== undefined) {
      fail(`the event cannot be stored: ${problem}`);
      continue;
    }
    const { [timeField]: given, ...rest } = row as Record<string, unknown>;
    const time = given === undefined || given === null ? now : instantOf(given, options.parseTime);
    const text = time === undefined ? "" : JSON.stringify({ ...labels, ...rest, _time: formatInstant(time) });
    if (time === undefined) fail(`${timeField} is not a valid instant`);
    else if (isTooLarge(text)) fail("the event cannot be stored: it has more than 1 MB");
    else texts.push(text);
  }
  return { texts, failures };
}

/** Years that RFC 3339 can write. */
const earliest = parseInstant("0001-01-01") ?? 0n;
const latest = parseInstant("9999-12-31T23:59:59.999999Z") ?? 0n;

/** A number is seconds, milliseconds, microseconds or nanoseconds since 1970, depending on its size. */
function instantOf(value: unknown, parseTime: CheckOptions["parseTime"]): bigint | undefined {
  const micros = typeof value === "string" ? parseTime(value) : microsOfNumber(value);
  return micros !== undefined && micros >= earliest && micros <= latest ? micros : undefined;
}

function microsOfNumber(value: unknown): bigint | undefined {
  if (typeof value !== "number" || !Number.isFinite(value)) return undefined;
  const size = Math.abs(value);
  if (size >= 9e18) return undefined;
  const scale = size < 1e11 ? 1e6 : size < 1e14 ? 1e3 : size < 1e17 ? 1 : 1e-3;
  return BigInt(Math.round(value * scale));
}

/** Puts the rows into a temporary table for SQL. */
export async function stage(connection: Connection, texts: readonly string[]): Promise<string> {
  await connection.run("CREATE OR REPLACE TEMP TABLE staged (json VARCHAR)");
  await connection.appendStrings("staged", texts);
  return "(SELECT CAST(json AS JSON) AS json FROM temp.staged)";
}

/** The staged rows. `checkRows` has parsed and written their times. */
export async function stagedRows(connection: Connection, relation: string): Promise<Incoming> {
  const { time, ...rows } = await jsonRows(connection, relation, "_time");
  return { ...rows, ...defined({ time: time && { instant: time.instant } }) };
}
