import { QueryError } from "../errors";

/** One row of a CSV text: an empty value is null, quoted or not. */
export interface CsvRow {
  /** Where it starts; lines count from 1. */
  readonly line: number;
  readonly values: readonly (string | null)[];
}

export const delimiters = [",", ";", "\t", "|"] as const;

/** Far longer than any line of names. */
const maxHeaderLength = 1_048_576;

/**
 * Reads CSV (RFC 4180) piece by piece. Quotes enclose a whole value and are doubled within it. Lines may end in
 * LF, CR LF or CR.
 * @throws QueryError that names the line
 */
export class CsvReader {
  readonly #delimiter: string;
  #line = 1;
  #rowLine = 1;
  #state: "value starts" | "plain" | "quoted" | "quote seen" = "value starts";
  #value = "";
  #values: (string | null)[] = [];
  #afterCr = false;

  constructor(delimiter: string) {
    this.#delimiter = delimiter;
  }

  *read(text: string): Generator<CsvRow> {
    for (const character of text) {
      const isLineFeed = character === "\n";
      if (this.#afterCr && isLineFeed) {
        this.#afterCr = false;
        if (this.#state === "quoted") this.#value += character;
        continue;
      }
      this.#afterCr = character === "\r";
      const endsLine = isLineFeed || this.#afterCr;
      if (endsLine) this.#line += 1;
      if (this.#state === "quoted") {
        if (character === '"') this.#state = "quote seen";
        else this.#value += character;
      } else if (endsLine) {
        yield this.#endRow();
      } else if (character === this.#delimiter) {
        this.#endValue();
      } else {
        this.#take(character);
      }
    }
  }

  /** The last row, if the text does not end with a line's end. */
  *end(): Generator<CsvRow> {
    if (this.#state === "quoted") throw csvFault(this.#rowLine, "a quote is not closed");
    if (this.#values.length > 0 || this.#state !== "value starts") yield this.#endRow();
  }

  #take(character: string): void {
    if (character === '"' && this.#state === "value starts") {
      this.#state = "quoted";
    } else if (this.#state === "quote seen") {
      if (character !== '"') throw csvFault(this.#line, "there is text after a closing quote");
      this.#value += character;
      this.#state = "quoted";
    } else {
      this.#value += character;
      this.#state = "plain";
    }
  }

  #endValue(): void {
    this.#values.push(this.#value === "" ? null : this.#value);
    this.#value = "";
    this.#state = "value starts";
  }

  #endRow(): CsvRow {
    this.#endValue();
    const row = { line: this.#rowLine, values: this.#values };
    this.#values = [];
    this.#rowLine = this.#line;
    return row;
  }
}

export const csvFault = (line: number, reason: string): QueryError => new QueryError("data", `line ${line}: ${reason}`);

/** A line without any value. */
export const isBlankLine = ({ values }: CsvRow): boolean => values.length === 1 && values[0] === null;

/** @throws QueryError if the row has more or fewer values than there are columns */
export function requireWidth({ line, values }: CsvRow, columns: number): void {
  if (values.length !== columns)
    throw csvFault(line, `expected ${columns} value${columns === 1 ? "" : "s"}, found ${values.length}`);
}

/** The first of the usual delimiters in the line of names, outside of quotes; a comma if there is none. */
export function delimiterOf(header: string): string {
  const bare = header.replaceAll(/"[^"]*"/g, "");
  return [...bare].find((character) => delimiters.some((delimiter) => delimiter === character)) ?? ",";
}

/**
 * The names of the columns.
 * @throws QueryError with the column's number only: if the file has no line of names, the line contains an event
 */
export function columnNames(values: readonly (string | null)[]): string[] {
  const names = values.map((value) => value ?? "");
  for (const [index, name] of names.entries()) {
    const fail = (problem: string) => csvFault(1, `column ${index + 1} ${problem}`);
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

/**
 * The line of names that a CSV text starts with.
 * @param start at least the whole line, a byte order mark included
 */
export function readHeader(start: string, delimiter = delimiterOf(headerLine(start))): CsvHeader {
  const reader = new CsvReader(delimiter);
  const { value: first } = reader.read(withoutMark(start)).next();
  const row: CsvRow | undefined = first ?? reader.end().next().value;
  if (!row || isBlankLine(row)) throw csvFault(1, "there must be a line with the names of the columns");
  return { delimiter, names: columnNames(row.values) };
}

/** Whether a text has the whole line of names, or is longer than such a line may be. */
export const hasHeader = (start: string): boolean =>
  headerLine(start).length < withoutMark(start).length || start.length > maxHeaderLength;

/** The text up to the first line end outside of quotes. */
const headerLine = (text: string): string => /^(?:"[^"]*(?:"|$)|[^"\r\n]+)*/.exec(withoutMark(text))?.[0] ?? "";

export const withoutMark = (text: string): string => text.replace(/^\ufeff/, "");
