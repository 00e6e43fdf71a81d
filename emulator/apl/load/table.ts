import type { DuckDBType } from "@duckdb/node-api";
import type { ScalarType } from "../ast";
import { reservedFields } from "../catalog";
import { defined } from "../defined";
import type { Connection } from "../duckdb";
import { quote } from "../sql";
import type { Incoming, IncomingField } from "./source";

const fieldTypes: readonly (readonly [RegExp, ScalarType])[] = [
  [/^(TINYINT|SMALLINT|INTEGER|BIGINT|UTINYINT|USMALLINT|UINTEGER)$/, "long"],
  [/^(UBIGINT|HUGEINT|UHUGEINT|FLOAT|DOUBLE|DECIMAL\(.*\))$/, "real"],
  [/^BOOLEAN$/, "bool"],
  [/^(TIMESTAMP.*|DATE)$/, "datetime"],
  [/^(VARCHAR|UUID|ENUM\(.*\)|TIME.*|INTERVAL|BLOB|BIT)$/, "string"],
];

/** Rows of a Parquet file. Structures inside it become fields with a dotted name. */
export async function tableRows(connection: Connection, relation: string, timeField: string): Promise<Incoming> {
  const columns = await connection.columns(`SELECT * FROM ${relation} LIMIT 0`);
  const fields = columns.flatMap(([name, type]) => leaves(name, `r.${identifier(name)}`, type));
  const time = fields.find(({ name }) => name === timeField);
  return {
    from: `${relation} AS r`,
    fields: fields.filter(({ name }) => name !== timeField && name !== "_time" && !reservedFields.has(name)),
    ...defined({ time: time && { instant: instantOf(time.sql, time.type), raw: `CAST(${time.sql} AS VARCHAR)` } }),
  };
}

/** SQL of the instant in a column: a text may be a number, too. */
export function instantOf(sql: string, type: ScalarType): string {
  if (type === "datetime") return sql;
  return type === "string"
    ? `coalesce(apl_time(${sql}), apl_epoch(apl_real(${sql})))`
    : `apl_epoch(CAST(${sql} AS DOUBLE))`;
}

function leaves(name: string, sql: string, columnType: DuckDBType): IncomingField[] {
  if ("entryNames" in columnType) {
    const { entryNames, entryTypes } = columnType;
    return entryTypes.flatMap((type, i) => {
      const key = entryNames[i] ?? "";
      return leaves(`${name}.${key}`, `struct_extract(${sql}, ${quote(key)})`, type);
    });
  }
  const sqlType = String(columnType);
  const type = fieldTypes.find(([pattern]) => pattern.test(sqlType))?.[1];
  if (type === undefined) return [{ name, type: "dynamic", sql: `apl_read_json(to_json(${sql}))` }];
  const target = type === "datetime" && sqlType.includes("TIME ZONE") ? `(${sql} AT TIME ZONE 'UTC')` : sql;
  return [{ name, type, sql: `CAST(${target} AS ${storedAs[type] ?? "VARCHAR"})` }];
}

const storedAs: Partial<Record<ScalarType, string>> = {
  long: "BIGINT",
  real: "DOUBLE",
  bool: "BOOLEAN",
  datetime: "TIMESTAMP",
};

const identifier = (name: string) => `"${name.replaceAll('"', '""')}"`;
