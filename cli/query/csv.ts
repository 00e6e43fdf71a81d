import type { QueryValue, Row } from "../../sdk";
import { stringifyExact } from "../../sdk/values/exactJson";
import { visibleLines } from "../text";
import { namesOf } from "./columns";

/** Rows as RFC 4180, the names first. Lists and objects are JSON. Null and absent are an empty field. */
export function* csv(rows: readonly Row[]): Generator<string> {
  const names = namesOf(rows);
  if (names.length === 0) return;
  yield names.map(field).join(",");
  for (const row of rows) yield names.map((name) => field(row[name])).join(",");
}

function field(value: QueryValue | undefined): string {
  if (value === null || value === undefined) return "";
  if (typeof value !== "string") return quoted(typeof value === "object" ? stringifyExact(value) : String(value));
  // Spreadsheets run a text that starts so. The events are not the user's own: anybody may have sent them.
  return quoted(/^[=+\-@\t\r\n]/.test(value) ? `'${value}` : value);
}

function quoted(text: string): string {
  const shown = visibleLines(text);
  return /[",\r\n]|^\s|\s$/.test(shown) ? `"${shown.replaceAll('"', '""')}"` : shown;
}
