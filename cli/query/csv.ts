import type { QueryValue, Row } from "../../sdk";
import { stringifyExact } from "../../values/exactJson";
import { csvRecord, type Printable } from "../text";
import { namesOf } from "./table";

/** Rows as RFC 4180, the names first. Lists and objects are JSON. Null and absent are an empty field. */
export function* csv(rows: readonly Row[]): Generator<Printable> {
  const names = namesOf(rows);
  if (names.length === 0) return;
  yield csvRecord(names.map(fieldOf));
  for (const row of rows) yield csvRecord(names.map((name) => fieldOf(row[name])));
}

function fieldOf(value: QueryValue | undefined): string {
  if (value === null || value === undefined) return "";
  if (typeof value !== "string") return typeof value === "object" ? stringifyExact(value) : String(value);
  // Spreadsheets run a text that starts so. The events are not the user's own: anybody may have sent them.
  return /^[=+\-@\t\r\n]/.test(value) ? `'${value}` : value;
}
