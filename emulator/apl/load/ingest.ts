import type { Connection } from "../duckdb";
import { formatInstant, parseInstant } from "../time";

export interface IngestFailure {
  /** The time the row claims, as far as it can be told. */
  readonly timestamp: string;
  readonly error: string;
}

export interface Checked {
  /** The good rows as JSON, each with its `_time`. */
  readonly texts: readonly string[];
  readonly failures: readonly IngestFailure[];
}

/** Tells the rows that can be stored from those that cannot. A row without a time gets the time of the ingest. */
export function checkRows(rows: readonly unknown[], timeField: string, now: bigint): Checked {
  const texts: string[] = [];
  const failures: IngestFailure[] = [];
  const fail = (error: string) => failures.push({ timestamp: formatInstant(now), error });
  for (const row of rows) {
    if (typeof row !== "object" || row === null || Array.isArray(row)) {
      fail("the event must be a JSON object");
      continue;
    }
    const { [timeField]: given, ...rest } = row as Record<string, unknown>;
    const time = given === undefined || given === null ? now : instantOf(given);
    if (time === undefined) fail(`${timeField} cannot be read as a time: ${JSON.stringify(given)}`);
    else texts.push(JSON.stringify({ ...rest, _time: formatInstant(time) }));
  }
  return { texts, failures };
}

/** Seconds, milliseconds, microseconds or nanoseconds since 1970 are told apart by size. */
function instantOf(value: unknown): bigint | undefined {
  if (typeof value === "string") return parseInstant(value);
  if (typeof value !== "number" || !Number.isFinite(value)) return undefined;
  const size = Math.abs(value);
  if (size >= 9e18) return undefined;
  const scale = size < 1e11 ? 1e6 : size < 1e14 ? 1e3 : size < 1e17 ? 1 : 1e-3;
  return BigInt(Math.round(value * scale));
}

/** Puts the rows where SQL can read them. */
export async function stage(connection: Connection, texts: readonly string[]): Promise<string> {
  await connection.run("CREATE OR REPLACE TEMP TABLE staged (json VARCHAR)");
  await connection.appendStrings("staged", texts);
  return "(SELECT CAST(json AS JSON) AS json FROM temp.staged)";
}
