import { QueryError } from "../errors";
import { exactInteger } from "../exactJson";
import { type CsvRow, columnNames, csvRowsIn, csvRowsOf, isBlankLine, readHeader, requireWidth } from "./csv";
import type { FileEvent } from "./source";

export interface CsvOptions {
  /** The names of the columns; the first line if not given. */
  readonly fields?: readonly string[];
  /** One character; a comma if not given. */
  readonly delimiter?: string;
}

/**
 * The rows of a CSV text as events. A column with only numbers or only booleans gets that type.
 * @throws QueryError that names the line, and quotes nothing of it
 */
export function parseCsv(text: string, { fields, delimiter = "," }: CsvOptions = {}): Record<string, unknown>[] {
  const rows = csvRowsIn(text, delimiter);
  const first = fields ? undefined : rows.shift();
  const header = fields ?? first?.values;
  if (!header || (first && isBlankLine(first)))
    throw new QueryError("data", "line 1: there must be a line with the names of the columns");
  const columns = new Columns(columnNames(header));
  const full = rows.filter((row) => columns.has(row));
  for (const row of full) columns.note(row);
  return full.map((row) => columns.eventOf(row));
}

/**
 * The rows of a CSV file as events. It is read twice, since the types of the columns follow from all of its values.
 * @param open begins to read its text
 * @throws QueryError that names the line, and quotes nothing of it
 */
export async function* csvEvents(
  open: () => AsyncIterable<string>,
  given: string | undefined,
): AsyncGenerator<FileEvent[]> {
  const { names, delimiter } = await readHeader(open(), given);
  const columns = new Columns(names);
  async function* rows() {
    let isFirst = true;
    for await (const all of csvRowsOf(open(), delimiter)) {
      const rest = isFirst ? all.slice(1) : all;
      if (all.length > 0) isFirst = false;
      yield rest.filter((row) => columns.has(row));
    }
  }
  for await (const some of rows()) for (const row of some) columns.note(row);
  for await (const some of rows()) yield some.map((row) => ({ line: row.line, value: columns.eventOf(row) }));
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
