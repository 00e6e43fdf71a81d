import type { QueryValue, Row } from "../sdk";
import { stringifyExact } from "../values/exactJson";
import { type Line, makeVisible, type Printable, paint, say } from "./text";
import { cutTo, widthOf } from "./width";

interface TableOptions {
  /** The width of the terminal; undefined: as wide as the data. */
  readonly columns: number | undefined;
  readonly colours?: boolean;
  /** Names of columns that are neither cut nor left out, because another command needs their values. */
  readonly whole?: readonly string[];
}

interface Column {
  readonly name: Line;
  readonly cells: readonly Line[];
  readonly isNumeric: boolean;
  /** Neither cut nor left out. */
  readonly isWhole: boolean;
  readonly width: number;
}

const gap = "  ";
/** No column is cut further. */
const narrowest = 6;
/** Nor does one take more than this, however wide the terminal. */
const widest = 1000;

/** Rows as a table that fits the terminal: wide columns are cut, and a line below the table names the columns that do not fit. */
export function* table(rows: readonly Row[], options: TableOptions): Generator<Printable> {
  if (rows.length === 0) return yield say`no rows`;
  const { columns: available = Number.POSITIVE_INFINITY, colours = false, whole = [] } = options;
  const all = namesOf(rows).map((name) => columnOf(name, rows, whole.includes(name)));
  const shown = fitColumns(all, available);
  const left = all.filter(({ name }) => !shown.some((column) => column.name === name));
  const head = lineOf(shown.map((column) => pad(column.name, column)));
  yield colours ? paint("bold", head) : head;
  yield lineOf(shown.map(({ width }) => "─".repeat(width)));
  for (const at of rows.keys()) yield lineOf(shown.map((column) => pad(column.cells[at] ?? "", column)));
  if (left.length > 0) {
    const names = left.map(({ name }) => name).join(", ");
    yield cutTo(say`${left.length} more: ${names} (--output json shows all)`, available);
  }
}

const lineOf = (cells: readonly string[]): Line => makeVisible(cells.join(gap).trimEnd());

function columnOf(name: string, rows: readonly Row[], isWhole: boolean): Column {
  const most = isWhole ? Number.POSITIVE_INFINITY : widest;
  const cells = rows.map((row) => cutTo(makeVisible(textOf(row[name])), most));
  const isNumeric = rows.every((row) => row[name] == null || /^(number|bigint)$/.test(typeof row[name]));
  const title = cutTo(makeVisible(name), widest);
  const width = cells.reduce((width, cell) => Math.max(width, widthOf(cell)), widthOf(title));
  return { name: title, cells, isNumeric, isWhole, width };
}

function textOf(value: QueryValue | undefined): string {
  if (value === null || value === undefined) return "";
  return typeof value === "object" ? stringifyExact(value) : String(value);
}

function pad(text: Line | "", { width, isNumeric }: Column): string {
  const cut = cutTo(makeVisible(text), width);
  const space = " ".repeat(width - widthOf(cut));
  return isNumeric ? space + cut : cut + space;
}

/**
 * Fits the columns into a width: cuts the widest first, and then leaves the last ones out. The first one stays, because a table
 * without columns says nothing.
 */
function fitColumns(columns: readonly Column[], available: number): Column[] {
  const kept = [...columns];
  const widthAt = (limit: number) =>
    kept.reduce(
      (sum, { width, isWhole }) => sum + gap.length + (isWhole ? width : Math.min(width, limit)),
      -gap.length,
    );
  while (widthAt(narrowest) > available) {
    const last = kept.findLastIndex(({ isWhole }, at) => !isWhole && at > 0);
    if (last < 0) break;
    kept.splice(last, 1);
  }
  let limit = Math.max(...kept.map(({ width }) => width));
  while (limit > 1 && widthAt(limit) > available) limit--;
  return kept.map((column) => ({ ...column, width: column.isWhole ? column.width : Math.min(column.width, limit) }));
}

/** All names that rows have, in the order in which they first appear. */
export function namesOf(rows: readonly Row[]): string[] {
  const names = new Set<string>();
  for (const row of rows) for (const name of Object.keys(row)) names.add(name);
  return [...names];
}
