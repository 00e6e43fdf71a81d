import type { DuckDBValue } from "@duckdb/node-api";
import { defined } from "../defined";
import type { Window } from "../plan/context";
import type { Selection } from "../plan/query";
import { formatInstant } from "../time";
import { wireTypes } from "../types";
import { identityWidth } from "./matches";
import { fromSql } from "./values";

/** Rows as columns: one list for each field. */
export function table(
  name: string,
  { relation, order }: Selection,
  rows: readonly (readonly DuckDBValue[])[],
  datasets: readonly string[],
  window: Window,
) {
  const width = identityWidth(relation);
  const { columns } = relation;
  const names = new Set(columns.map((column) => column.name));
  const bin = columns.find(({ role }) => role?.kind === "bin")?.role;
  const { start, end } = window;
  const isWhole = start !== undefined && end !== undefined;
  return {
    name,
    sources: datasets.map((source) => ({ name: source })),
    fields: columns.map(({ name: field, type, role }) => {
      const agg = role?.kind === "aggregation" ? { name: role.op, fields: role.fields, args: role.args } : undefined;
      return { name: field, type: wireTypes[type], ...defined({ agg }) };
    }),
    order: order.flatMap(({ name: field, desc }) => (field !== undefined && names.has(field) ? [{ field, desc }] : [])),
    groups: columns
      .filter(({ role }) => role?.kind === "key" || role?.kind === "bin")
      .map((column) => ({ name: column.name })),
    ...defined({
      range: isWhole ? { field: "_time", start: formatInstant(start), end: formatInstant(end) } : undefined,
      buckets: bin?.kind === "bin" ? { field: bin.field, size: Number(bin.micros * 1000n) } : undefined,
    }),
    columns: columns.map(({ type }, i) => rows.map((row) => fromSql(row[width + i], type))),
  };
}
