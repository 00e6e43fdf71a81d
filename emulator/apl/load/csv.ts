import { pipeline } from "node:stream";
import { type CsvError, type Options, parse as parseStream } from "csv-parse";
import { parse } from "csv-parse/sync";
import { lineFault } from "./failure";

/** One row of a CSV text: an empty value is null, quoted or not. */
export interface CsvRow {
  /** Where it starts; lines count from 1. */
  readonly line: number;
  readonly values: readonly (string | null)[];
}

/** Far longer than any line of names. */
const maxHeaderLength = 1_048_576;

/** The library's own messages quote values. */
const problems: Readonly<Record<string, string>> = {
  INVALID_OPENING_QUOTE: "there is a quote within a value that does not start with one",
  CSV_INVALID_CLOSING_QUOTE: "there is text after a closing quote",
  CSV_QUOTE_NOT_CLOSED: "a quote is not closed",
};

/** RFC 4180, with any end of a line. Whether a row has a value for each column is checked later. */
function readingWith(delimiter: string) {
  let next = 1;
  const rowOf = (values: readonly string[]): CsvRow => {
    const line = next;
    next += values.reduce((ends, value) => ends + (value.match(/\r\n|[\r\n]/g)?.length ?? 0), 1);
    return { line, values: values.map((value) => (value === "" ? null : value)) };
  };
  const options: Options = {
    delimiter,
    record_delimiter: ["\r\n", "\n", "\r"],
    relax_column_count: true,
    bom: true,
    on_record: rowOf as unknown as NonNullable<Options["on_record"]>, // its type allows no other rows than lists
  };
  /** Not `instanceof`: each of the library's modules has its own class of errors. */
  const faultOf = (failure: unknown): unknown => {
    const { code, lines } = failure as Partial<CsvError>;
    return lines === undefined ? failure : lineFault(next, problems[code ?? ""] ?? "not valid CSV");
  };
  return { options, faultOf };
}

/** @throws QueryError that names the line */
export function csvRowsIn(text: string, delimiter: string): CsvRow[] {
  const { options, faultOf } = readingWith(delimiter);
  try {
    return parse(text, options) as unknown as CsvRow[];
  } catch (failure) {
    throw faultOf(failure);
  }
}

/** The rows of a text that comes piece by piece. @throws QueryError that names the line */
export async function* csvRowsOf(text: AsyncIterable<string>, delimiter: string): AsyncGenerator<CsvRow> {
  const { options, faultOf } = readingWith(delimiter);
  try {
    // The loop gets the failure, too.
    for await (const row of pipeline(text, parseStream(options), () => undefined)) yield row as unknown as CsvRow;
  } catch (failure) {
    throw faultOf(failure);
  }
}

/** A line without any value. */
export const isBlankLine = ({ values }: CsvRow): boolean => values.length === 1 && values[0] === null;

/** @throws QueryError if the row has more or fewer values than there are columns */
export function requireWidth({ line, values }: CsvRow, columns: number): void {
  if (values.length !== columns)
    throw lineFault(line, `expected ${columns} value${columns === 1 ? "" : "s"}, found ${values.length}`);
}

/**
 * The names of the columns.
 * @throws QueryError with the column's number only: if the file has no line of names, the line contains an event
 */
export function columnNames(values: readonly (string | null)[]): string[] {
  const names = values.map((value) => value ?? "");
  for (const [index, name] of names.entries()) {
    const fail = (problem: string) => lineFault(1, `column ${index + 1} ${problem}`);
    if (name.trim() === "") throw fail("has no name");
    // biome-ignore lint/suspicious/noControlCharactersInRegex: that is what a name must not have
    if (/[\u0000-\u001f\u007f\ufffd]/.test(name)) throw fail("has a name with unprintable characters");
    if (names.indexOf(name) !== index) throw fail(`has the name of column ${names.indexOf(name) + 1}`);
  }
  return names;
}

export interface CsvHeader {
  readonly delimiter: string;
  readonly names: readonly string[];
}

/** The line of names that a CSV text starts with. Without a given delimiter, the first usual one outside of quotes counts. */
export async function readHeader(text: AsyncIterable<string>, delimiter?: string): Promise<CsvHeader> {
  let start = "";
  for await (const piece of text) {
    start += piece;
    if (headerLine(start).length < start.length - 1 || start.length > maxHeaderLength) break;
  }
  const line = headerLine(start);
  const found = delimiter ?? /[,;\t|]/.exec(line.replaceAll(/"[^"]*"/g, ""))?.[0] ?? ",";
  const [row] = csvRowsIn(line, found);
  if (!row) throw lineFault(1, "there must be a line with the names of the columns");
  return { delimiter: found, names: columnNames(row.values) };
}

/** The text up to the first line end outside of quotes, without a byte order mark. */
const headerLine = (text: string): string =>
  /^(?:"[^"]*(?:"|$)|[^"\r\n]+)*/.exec(text.replace(/^\ufeff/, ""))?.[0] ?? "";
