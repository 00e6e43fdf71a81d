import { exactInteger } from "../exactJson";
import { type CsvRow, columnNames, csvRowsOf, isBlankLine, type Pieces, requireWidth } from "./csv";
import { lineFault } from "./failure";
import type { FileEvent } from "./source";

export interface CsvOptions {
  /** The names of the columns; default: those in the first line. */
  readonly fields?: readonly string[] | undefined;
  /** The delimiter, one character; by default, the first line decides. */
  readonly delimiter?: string | undefined;
}

/**
 * The rows of a CSV text as events. The text is read twice, because the type of a column depends on all of its values: a column
 * that has only numbers or only booleans gets that type.
 * @param open begins to read it
 * @throws QueryError that names the line, and quotes nothing of it
 */
export async function* csvEvents(open: () => Pieces, { fields, delimiter }: CsvOptions): AsyncGenerator<FileEvent[]> {
  let columns = fields && new Columns(columnNames(fields));
  async function* tableRows() {
    let isFirst = fields === undefined;
    for await (const rows of csvRowsOf(open(), delimiter)) {
      const names = isFirst ? rows.shift() : undefined;
      isFirst &&= names === undefined;
      if (names && !isBlankLine(names)) columns ??= new Columns(columnNames(names.values));
      if (!columns) throw lineFault(1, "it must contain the names of the columns");
      const known = columns;
      yield { columns, rows: rows.filter((row) => known.has(row)) };
    }
  }
  for await (const { columns, rows } of tableRows()) for (const row of rows) columns.note(row);
  for await (const { columns, rows } of tableRows())
    yield rows.map((row) => ({ line: row.line, value: columns.eventOf(row) }));
}

/**
 * The types of columns, from the narrowest to the widest, each with the pattern that all values of the column match. A number with an
 * unusual spelling, such as 007, stays text, because a number would lose the spelling.
 */
const columnTypes = [
  { pattern: /^(?:true|false|TRUE|FALSE|True|False)$/, read: (text: string): unknown => text.toLowerCase() === "true" },
  { pattern: /^(?:0|-?[1-9][0-9]{0,17})$/, read: (text: string): unknown => exactInteger(BigInt(text)) },
  { pattern: /^-?(?:0|[1-9][0-9]*)(?:\.[0-9]+)?(?:[eE][+-]?[0-9]{1,2})?$/, read: Number },
] as const;

/** The columns of a table, and the types that all values so far have. */
class Columns {
  readonly #names: readonly string[];
  readonly #types: (readonly (typeof columnTypes)[number][])[];

  constructor(names: readonly string[]) {
    this.#names = names;
    this.#types = names.map(() => columnTypes);
  }

  /** Whether a row is one of the table. @throws QueryError if it has another number of values */
  has(row: CsvRow): boolean {
    if (isBlankLine(row) && this.#names.length > 1) return false;
    requireWidth(row, this.#names.length);
    return true;
  }

  note({ values }: CsvRow): void {
    for (const [column, types] of this.#types.entries()) {
      const value = values[column] ?? null;
      if (value !== null && types.length > 0) this.#types[column] = types.filter(({ pattern }) => pattern.test(value));
    }
  }

  eventOf({ values }: CsvRow): Record<string, unknown> {
    const read = (value: string | null, column: number) =>
      value === null ? null : (this.#types[column]?.[0]?.read(value) ?? value);
    return Object.fromEntries(this.#names.map((name, column) => [name, read(values[column] ?? null, column)]));
  }
}
