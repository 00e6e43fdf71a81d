import type { QueryValue, Row } from "../../sdk";
import { stringifyExact } from "../../sdk/values/exactJson";
import { cutTo, visible, widthOf } from "../text";
import { namesOf } from "./columns";

export interface TableOptions {
  /** The width of the terminal; undefined: as wide as the data. */
  readonly columns: number | undefined;
  readonly bold: (text: string) => string;
}

interface Column {
  readonly name: string;
  readonly cells: readonly string[];
  readonly numeric: boolean;
  readonly width: number;
}

const gap = "  ";
/** No column is cut further. */
const narrowest = 6;
/** Nor does one take more than this, however wide the terminal. */
const widest = 1000;

/** Rows as a table that fits the terminal: wide columns are cut, and columns beyond its width are named below. */
export function* table(rows: readonly Row[], { columns: available, bold }: TableOptions): Generator<string> {
  if (rows.length === 0) return yield "no rows";
  const { shown, left } = fitted(
    namesOf(rows).map((name) => columnOf(name, rows)),
    available ?? Number.POSITIVE_INFINITY,
  );
  yield bold(line(shown.map((column) => padded(column.name, column))));
  yield line(shown.map(({ width }) => "─".repeat(width)));
  for (const at of rows.keys()) yield line(shown.map((column) => padded(column.cells[at] ?? "", column)));
  if (left.length > 0) {
    const names = left.map(({ name }) => name).join(", ");
    yield cutTo(`${left.length} more: ${names} (--output json shows all)`, available ?? Number.POSITIVE_INFINITY);
  }
}

const line = (cells: readonly string[]): string => cells.join(gap).trimEnd();

function columnOf(name: string, rows: readonly Row[]): Column {
  const cells = rows.map((row) => cutTo(visible(textOf(row[name])), widest));
  const numeric = rows.every((row) => row[name] == null || /^(number|bigint)$/.test(typeof row[name]));
  const title = cutTo(visible(name), widest);
  const width = cells.reduce((width, cell) => Math.max(width, widthOf(cell)), widthOf(title));
  return { name: title, cells, numeric, width };
}

function textOf(value: QueryValue | undefined): string {
  if (value === null || value === undefined) return "";
  return typeof value === "object" ? stringifyExact(value) : String(value);
}

function padded(text: string, { width, numeric }: Column): string {
  const cut = cutTo(text, width);
  const space = " ".repeat(width - widthOf(cut));
  return numeric ? space + cut : cut + space;
}

/** The columns that fit, at the widths at which they do, and those that do not at any. */
function fitted(columns: readonly Column[], available: number): { shown: readonly Column[]; left: readonly Column[] } {
  const least = ({ width }: Column) => Math.min(width, narrowest);
  let used = -gap.length;
  const count = columns.findIndex((column) => {
    used += gap.length + least(column);
    return used > available;
  });
  // The first is shown in any case: a table of no columns says nothing.
  const many = count < 0 ? columns.length : Math.max(1, count);
  const shown = columns.slice(0, many);
  return { shown: narrowed(shown, available - gap.length * (many - 1)), left: columns.slice(many) };
}

/** Cuts the widest columns to one width, the largest at which all fit. */
function narrowed(columns: readonly Column[], available: number): readonly Column[] {
  const widthAt = (limit: number) => columns.reduce((sum, { width }) => sum + Math.min(width, limit), 0);
  let limit = Math.max(...columns.map(({ width }) => width));
  if (widthAt(limit) <= available) return columns;
  while (limit > 1 && widthAt(limit) > available) limit--;
  return columns.map((column) => ({ ...column, width: Math.min(column.width, limit) }));
}
