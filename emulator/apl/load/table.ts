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
  const columns = await connection.values(`DESCRIBE SELECT * FROM ${relation}`);
  const fields = columns.flatMap(([name, type]) => leaves(String(name), `r.${identifier(String(name))}`, String(type)));
  const time = fields.find(({ name }) => name === timeField);
  return {
    from: `${relation} AS r`,
    fields: fields.filter(({ name }) => name !== timeField && name !== "_time" && !reservedFields.has(name)),
    ...defined({ time: time && { instant: instant(time), raw: `CAST(${time.sql} AS VARCHAR)` } }),
  };
}

function instant({ sql, type }: IncomingField): string {
  if (type === "datetime") return sql;
  return type === "string"
    ? `coalesce(apl_time(${sql}), apl_epoch(apl_real(${sql})))`
    : `apl_epoch(CAST(${sql} AS DOUBLE))`;
}

function leaves(name: string, sql: string, sqlType: string): IncomingField[] {
  if (sqlType.startsWith("STRUCT(") && sqlType.endsWith(")")) {
    return members(sqlType).flatMap(([key, type]) =>
      leaves(`${name}.${key}`, `struct_extract(${sql}, ${quote(key)})`, type),
    );
  }
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

/** The members of a type spelled `STRUCT(a INTEGER, "b c" STRUCT(d VARCHAR))`. */
function members(type: string): (readonly [string, string])[] {
  const found: (readonly [string, string])[] = [];
  let depth = 0;
  let start = 0;
  const body = `${type.slice("STRUCT(".length, -1)},`;
  for (const { 0: token, index } of body.matchAll(/"(?:""|[^"])*"|[(),]/g)) {
    depth += token === "(" ? 1 : token === ")" ? -1 : 0;
    if (token !== "," || depth > 0) continue;
    const [, quoted, bare, inner = ""] = /^\s*(?:"((?:""|[^"])*)"|(\S+))\s+(.*)$/s.exec(body.slice(start, index)) ?? [];
    found.push([quoted?.replaceAll('""', '"') ?? bare ?? "", inner]);
    start = index + 1;
  }
  return found;
}
