import { defined } from "../defined";
import type { Connection } from "../duckdb";
import { quote } from "../sql";
import { type ColumnType, type CsvHeader, columnTypes } from "./csv";
import { fieldName } from "./event";
import type { Incoming, IncomingField } from "./source";

const castTypes = { bool: "BOOLEAN", long: "BIGINT", real: "DOUBLE" } as const;

/** The rows of a CSV file after its line of names. All options are explicit, so that the database guesses nothing. */
export async function csvRows(
  connection: Connection,
  path: string,
  { names, delimiter }: CsvHeader,
  timeField: string,
): Promise<Incoming> {
  const columns = names.map((_, index) => `c${index}: 'VARCHAR'`).join(", ");
  const relation =
    `read_csv(${path}, auto_detect = false, columns = {${columns}}, header = true, delim = ${quote(delimiter)}, ` +
    `quote = '"', escape = '"', comment = '', strict_mode = true, null_padding = false, ignore_errors = false)`;
  const types = await typesOf(connection, relation, names.length);
  const fields = names.map((name, index): IncomingField => {
    const type = types[index];
    return {
      name: fieldName(name),
      type: type ?? "string",
      sql: type ? `CAST(c${index} AS ${castTypes[type]})` : `c${index}`,
    };
  });
  const time = names.indexOf(timeField);
  return {
    from: relation,
    fields: fields.filter((_, index) => names[index] !== timeField && names[index] !== "_time"),
    ...defined({ time: time < 0 ? undefined : timeOf(`c${time}`) }),
  };
}

/** The text of a time may be a number, too. */
const timeOf = (raw: string) => ({ instant: `coalesce(apl_time(${raw}), apl_epoch(apl_real(${raw})))`, raw });

/** The narrowest type for every value of a column; undefined for text and for a column without values. */
async function typesOf(connection: Connection, relation: string, columns: number): Promise<(ColumnType | undefined)[]> {
  const checks = Array.from({ length: columns }, (_, column) =>
    columnTypes.map(([, pattern]) => `bool_and(regexp_full_match(c${column}, ${quote(pattern)}))`),
  );
  const [row = []] = await connection.values(`SELECT ${checks.flat().join(", ")} FROM ${relation}`);
  return checks.map(
    (_, column) => columnTypes.find((_type, at) => row[column * columnTypes.length + at] === true)?.[0],
  );
}
