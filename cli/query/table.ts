import type { QueryValue, Row } from "../../sdk";
import { stringifyExact } from "../../values/exactJson";
import { type Line, makeVisible, say } from "../text";
import { cutTo, widthOf } from "../width";

export interface TableOptions {
  /** The width of the terminal; undefined: as wide as the data. */
  readonly columns: number | undefined;
  /** Names of columns that are neither cut nor left out, whatever the width. */
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

/** Rows as a table that fits the terminal: wide columns are cut, and columns beyond its width are named below. */
export function* table(rows: readonly Row[], { columns: width, whole = [] }: TableOptions): Generator<Line> {
  if (rows.length === 0) return yield say`no rows`;
  const available = width ?? Number.POSITIVE_INFINITY;
  const all = namesOf(rows).map((name) => columnOf(name, rows, whole.includes(name)));
  const { shown, left } = fitColumns(all, available);
  yield lineOf(shown.map((column) => pad(column.name, column)));
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

interface Fitted {
  readonly shown: readonly Column[];
  readonly left: readonly Column[];
}

/** The columns that fit, at the widths at which they do, and those that do not at any. */
function fitColumns(columns: readonly Column[], available: number): Fitted {
  const least = ({ width, isWhole }: Column) => (isWhole ? width : Math.min(width, narrowest)) + gap.length;
  const whole = columns.filter(({ isWhole }) => isWhole);
  let room = available + gap.length - whole.reduce((sum, column) => sum + least(column), 0);
  let isFull = false;
  const shown = columns.filter((column) => {
    if (column.isWhole) return true;
    // The columns keep their order: behind the first that does not fit there is none that does.
    isFull ||= least(column) > room;
    if (!isFull) room -= least(column);
    return !isFull;
  });
  // A table without columns says nothing.
  const kept = shown.length > 0 ? shown : columns.slice(0, 1);
  return {
    shown: narrow(kept, available - gap.length * (kept.length - 1)),
    left: columns.filter((column) => !kept.includes(column)),
  };
}

/** Cuts the widest columns to one width, the largest at which all fit. */
function narrow(columns: readonly Column[], available: number): readonly Column[] {
  const widthIn = ({ width, isWhole }: Column, limit: number) => (isWhole ? width : Math.min(width, limit));
  const widthAt = (limit: number) => columns.reduce((sum, column) => sum + widthIn(column, limit), 0);
  let limit = Math.max(...columns.map(({ width }) => width));
  if (widthAt(limit) <= available) return columns;
  while (limit > 1 && widthAt(limit) > available) limit--;
  return columns.map((column) => ({ ...column, width: widthIn(column, limit) }));
}

/** All names that rows have, in the order in which they first appear. */
export function namesOf(rows: readonly Row[]): string[] {
  const names = new Set<string>();
  for (const row of rows) for (const name of Object.keys(row)) names.add(name);
  return [...names];
}
