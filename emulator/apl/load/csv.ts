import type { CsvError } from "csv-parse";
import { type Options, parse } from "csv-parse/sync";
import { lineFault } from "./failure";

/** One row of a CSV text: an empty value is null, quoted or not. */
export interface CsvRow {
  /** The line in which it starts, counted from 1. */
  readonly line: number;
  readonly values: readonly (string | null)[];
}

/** Far longer than any row that can be stored. */
const maxRowLength = 8 * 1_048_576;

export type Pieces = AsyncIterable<string> | Iterable<string>;

/** The library's own messages quote values. */
const problems: Readonly<Record<string, string>> = {
  INVALID_OPENING_QUOTE: "there is a quote within a value that does not start with one",
  CSV_INVALID_CLOSING_QUOTE: "there is text after a closing quote",
  CSV_QUOTE_NOT_CLOSED: "a quote is not closed",
};

const lineEnd = /\r\n|[\r\n]/g;

const countLineEnds = (text: string): number => text.match(lineEnd)?.length ?? 0;

/**
 * The rows of a text by RFC 4180, with any end of a line. Whether a row has a value for each column is checked later.
 * @param first the number of the text's first line
 * @throws QueryError that names the line
 */
function csvRowsIn(text: string, delimiter: string, first: number): CsvRow[] {
  // Most texts have no quote. To split them takes a fifth of the library's time.
  if (!text.includes('"')) {
    const lines = text.replace(/^\ufeff/, "").split(lineEnd);
    if (lines.at(-1) === "") lines.pop();
    return numberRows(
      lines.map((line) => line.split(delimiter)),
      first,
    );
  }
  const options: Options<string[]> = {
    delimiter,
    record_delimiter: ["\r\n", "\n", "\r"],
    relax_column_count: true,
    bom: true,
  };
  try {
    return numberRows(parse(text, options), first);
  } catch (failure) {
    // Not `instanceof`: each of the library's modules has its own class of errors.
    const { code, records } = failure as Partial<CsvError>;
    if (typeof records !== "number") throw failure;
    // The library says how many rows are before the fault, not at which line its row starts.
    const before = records > 0 ? parse(text, { ...options, to: records }) : [];
    throw lineFault(numberRows([...before, []], first).at(-1)?.line ?? first, problems[code ?? ""] ?? "not valid CSV");
  }
}

/** Counts the lines here: asked for them, the library collects so many facts about each row that it takes twice the time. */
function numberRows(rows: readonly (readonly string[])[], first: number): CsvRow[] {
  let next = first;
  return rows.map((texts) => {
    const line = next;
    next = texts.reduce((ends, text) => ends + countLineEnds(text), line + 1);
    return { line, values: texts.map((text) => (text === "" ? null : text)) };
  });
}

/**
 * The rows of a text that arrives piece by piece. Each step returns the rows that are complete.
 * @param given the delimiter; by default, the text decides
 * @throws QueryError that names the line
 */
export async function* csvRowsOf(text: Pieces, given?: string): AsyncGenerator<CsvRow[]> {
  let delimiter = given;
  let line = 1;
  let rest = "";
  for await (const piece of text) {
    rest += piece;
    const whole = rest.slice(0, endOfRows(rest));
    if (whole !== "") {
      delimiter ??= findDelimiter(whole);
      yield csvRowsIn(whole, delimiter, line);
    }
    line += countLineEnds(whole);
    rest = rest.slice(whole.length);
    if (rest.length > maxRowLength) throw lineFault(line, "the row is too long: is a quote not closed?");
  }
  yield csvRowsIn(rest, delimiter ?? findDelimiter(rest), line);
}

/** Where the last complete row ends: after a line end outside quotes. */
function endOfRows(text: string): number {
  let [start, end] = [0, 0];
  // A last \r can be half of a line end.
  for (const [index, part] of text.replace(/\r$/, "").split('"').entries()) {
    const last = Math.max(part.lastIndexOf("\n"), part.lastIndexOf("\r"));
    if (index % 2 === 0 && last >= 0) end = start + last + 1;
    start += part.length + 1;
  }
  return end;
}

/** Whether a line has no values. */
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
    if (names.indexOf(name) !== index) throw fail(`has the same name as column ${names.indexOf(name) + 1}`);
  }
  return names;
}

/** The first common delimiter in a text, outside quotes. */
const findDelimiter = (text: string): string => /[,;\t|]/.exec(firstLine(text).replaceAll(/"[^"]*"/g, ""))?.[0] ?? ",";

/** The text up to the first line end outside quotes, without a byte order mark. */
const firstLine = (text: string): string =>
  /^(?:"[^"]*(?:"|$)|[^"\r\n]+)*/.exec(text.replace(/^\ufeff/, ""))?.[0] ?? "";
