/** SQL text from values. Every text from a query or a file reaches SQL through this file. */

/** A string literal. DuckDB takes statements as C strings, so a NUL character has to be spelled out. */
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

/** Precedes the emulator's message about a limit, to distinguish it from the database's own messages. */
export const limitMark = "limit of the emulator: ";

/** Makes the query fail with a message of the emulator. */
export const raise = (message: string): string => `error(${quote(limitMark + message)})`;

const maxElements = 1_048_576;

/**
 * Checks the number of elements of a range. Too many are an error, because nobody could tell a shortened range from a complete
 * one.
 */
export const boundCount = (count: string): string =>
  `CASE WHEN ${count} > ${maxElements} THEN ${raise(`a range has at most ${maxElements} values`)} ELSE ${count} END`;

/** A pattern that matches a text literally; DuckDB's regular expressions are RE2's. */
export const escapeRegex = (text: string): string => text.replaceAll(/[\\^$.|?*+()[\]{}]/g, "\\$&");

/** A step of a JSON pointer (RFC 6901). */
export const pointerTo = (key: string): string => `/${key.replaceAll("~", "~0").replaceAll("/", "~1")}`;
