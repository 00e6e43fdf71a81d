import type { Row } from "../sdk";
import type { Io } from "./command";
import type { rowFormatFlag } from "./manual";
import { table } from "./query/table";
import { layoutWidth } from "./terminal";
import { jsonText, type Printable, paint } from "./text";

export type RowFormat = (typeof rowFormatFlag.values)[number];

/**
 * Formats rows, piece by piece.
 * @param whole columns that a table neither cuts nor leaves out, because another command needs their values
 */
export function* linesOfRows(
  rows: readonly Row[],
  format: RowFormat,
  io: Pick<Io, "colours" | "columns" | "env">,
  whole: readonly string[] = [],
): Generator<Printable> {
  switch (format) {
    case "json":
      return yield jsonText(rows, 2);
    case "table": {
      let isHead = io.colours && rows.length > 0;
      for (const line of table(rows, { columns: layoutWidth(io), whole })) {
        yield isHead ? paint("bold", line) : line;
        isHead = false;
      }
      return;
    }
  }
}
