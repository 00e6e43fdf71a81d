import { styleText } from "node:util";
import type { Row } from "../sdk";
import { stringifyExact } from "../sdk/values/exactJson";
import type { Io } from "./command";
import { rowFormats } from "./manuals/shared";
import { csv } from "./query/csv";
import { table } from "./query/table";
import { visibleJson } from "./text";

export type RowFormat = (typeof rowFormats)[number];

/** @throws Error that names the formats */
export function rowFormatOf(text = ""): RowFormat {
  const format = rowFormats.find((one) => one === text);
  if (!format) throw new Error(`--output: must be one of ${rowFormats.join(", ")}`);
  return format;
}

/** Rows in a form, line by line. */
export function* linesOfRows(
  rows: readonly Row[],
  format: RowFormat,
  io: Pick<Io, "colours" | "columns" | "env">,
): Generator<string> {
  switch (format) {
    case "json":
      return yield visibleJson(stringifyExact(rows, 2));
    case "ndjson":
      for (const row of rows) yield visibleJson(stringifyExact(row));
      return;
    case "csv":
      return yield* csv(rows);
    case "table": {
      const bold = (text: string) => (io.colours ? styleText("bold", text, { validateStream: false }) : text);
      return yield* table(rows, { columns: io.columns ?? columnsOf(io.env), bold });
    }
  }
}

/** For who wants a width where there is no terminal. */
const columnsOf = ({ COLUMNS = "" }: Io["env"]): number | undefined =>
  /^[1-9]\d{0,4}$/.test(COLUMNS) ? Number(COLUMNS) : undefined;
