import { QueryError } from "../errors";
import { exactInteger } from "../exactJson";
import { columnNames, columnTypes, csvRowsIn, isBlankLine, requireWidth } from "./csv";

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
  const names = columnNames(header);
  const full = rows.filter((row) => names.length === 1 || !isBlankLine(row));
  for (const row of full) requireWidth(row, names.length);
  const readers = names.map((_, column) => readerOf(full.map(({ values }) => values[column] ?? null)));
  return full.map(({ values }) =>
    Object.fromEntries(names.map((name, column) => [name, readers[column]?.(values[column] ?? null)])),
  );
}

type ReadValue = (value: string | null) => unknown;

/** How to read the values of a column. */
function readerOf(values: readonly (string | null)[]): ReadValue {
  const present = values.filter((value) => value !== null);
  const patterns = columnTypes.map(([name, pattern]) => [name, new RegExp(`^${pattern}$`)] as const);
  const [type] = patterns.find(([, pattern]) => present.every((value) => pattern.test(value))) ?? [];
  if (type === undefined || present.length === 0) return (value) => value;
  const read = {
    bool: (text: string) => /^true$/i.test(text),
    long: (text: string) => exactInteger(BigInt(text)),
    real: Number,
  };
  return (value) => (value === null ? null : read[type](value));
}
