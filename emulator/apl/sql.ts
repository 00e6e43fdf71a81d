/** SQL text from values. Every text from a query or a file reaches SQL through this file. */

/** A string literal. DuckDB's entry point takes C strings, so a NUL is spelled out. */
export function quote(text: string): string {
  const parts = text.split("\0").map((part) => `'${part.replaceAll("'", "''")}'`);
  return parts.length === 1 ? (parts[0] ?? "''") : `(${parts.join(" || chr(0) || ")})`;
}

/** A double. A plain 1.5 would be a DECIMAL in DuckDB. */
export const double = (value: number): string =>
  Number.isFinite(value) ? `CAST(${quote(String(value))} AS DOUBLE)` : "CAST(NULL AS DOUBLE)";

/** A 64-bit integer. */
export const integer = (value: bigint | number): string => `CAST(${value} AS BIGINT)`;

/** A timestamp from microseconds since 1970. */
export const timestamp = (micros: bigint): string => `make_timestamp(${micros}::BIGINT)`;

/** Precedes the words of a limit in the database's message, to tell them from the database's own. */
export const limitMark = "limit of the emulator: ";

/** Ends the query with a message of ours. */
export const raise = (message: string): string => `error(${quote(limitMark + message)})`;

const maxElements = 1_048_576;

/** The number of elements of a range. Too many are an error, because a shorter range would pass for the whole one. */
export const boundCount = (count: string): string =>
  `CASE WHEN ${count} > ${maxElements} THEN ${raise(`a range has at most ${maxElements} values`)} ELSE ${count} END`;

/** A pattern that matches a text literally; DuckDB's regular expressions are RE2's. */
export const escapeRegex = (text: string): string => text.replaceAll(/[\\^$.|?*+()[\]{}]/g, "\\$&");

/** A step of a JSON pointer (RFC 6901). */
export const pointerTo = (key: string): string => `/${key.replaceAll("~", "~0").replaceAll("/", "~1")}`;
