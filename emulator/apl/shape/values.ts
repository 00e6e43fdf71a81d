import type { DuckDBTimestampValue, DuckDBValue } from "@duckdb/node-api";
import type { ScalarType } from "../ast";
import { exactInteger } from "../exactJson";
import { formatInstant } from "../time";
import { wireTypes } from "../types";

/** Converts a value of the database to a value of a result. */
export function fromSql(value: DuckDBValue | undefined, type: ScalarType): unknown {
  if (value === null || value === undefined) return null;
  switch (type) {
    case "datetime":
      return formatInstant((value as DuckDBTimestampValue).micros);
    case "long":
      return typeof value === "bigint" ? exactInteger(value) : Number(value);
    case "real":
      return Number.isFinite(value) ? value : null;
    case "dynamic":
      return JSON.parse(String(value));
    default:
      return value;
  }
}

export type FieldMeta = ReturnType<typeof fieldMeta>;

export const fieldMeta = (name: string, type: ScalarType) => ({
  name,
  type: wireTypes[type],
  unit: "",
  description: "",
  hidden: false,
});
