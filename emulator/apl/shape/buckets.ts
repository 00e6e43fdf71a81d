import type { DuckDBTimestampValue, DuckDBValue } from "@duckdb/node-api";
import type { Column, Relation } from "../plan/relation";
import { formatInstant } from "../time";
import { fromSql } from "./values";

type SqlRow = readonly DuckDBValue[];

/** The number of each group, which it has in the series and in the totals. */
type GroupIds = Map<string, number>;

const isKey = ({ role }: Column) => role?.kind === "key";

type Group = ReturnType<typeof groupOf>;

function groupOf(columns: readonly Column[], row: SqlRow, ids: GroupIds) {
  const values = columns.map((column, i) => ({ column, value: fromSql(row[i], column.type) }));
  const group = Object.fromEntries(
    values.filter(({ column }) => isKey(column)).map(({ column, value }) => [column.name, value]),
  );
  const aggregations = values
    .filter(({ column }) => !isKey(column) && column.role?.kind !== "bin")
    .map(({ column, value }) => ({ op: column.name, value }));
  const key = JSON.stringify(group);
  const id = ids.get(key) ?? ids.size;
  ids.set(key, id);
  return { id, group, aggregations };
}

/** The totals of a summary, and the series of a summary by time bins. */
export function buckets(
  rows: { relation: Relation; values: readonly SqlRow[] },
  totals?: { relation: Relation; values: readonly SqlRow[] },
) {
  const ids: GroupIds = new Map();
  const whole = totals ?? rows;
  const groups = whole.values.map((row) => groupOf(whole.relation.columns, row, ids));
  return { totals: groups, series: totals ? series(rows.relation.columns, rows.values, ids) : [] };
}

function series(columns: readonly Column[], rows: readonly SqlRow[], ids: GroupIds) {
  const place = columns.findIndex(({ role }) => role?.kind === "bin");
  const role = columns[place]?.role;
  if (role?.kind !== "bin") return [];
  const bins = new Map<bigint, Group[]>();
  for (const row of rows) {
    const time = row[place] as DuckDBTimestampValue | null;
    if (time === null) continue;
    const groups = bins.get(time.micros) ?? [];
    groups.push(groupOf(columns, row, ids));
    bins.set(time.micros, groups);
  }
  return [...bins]
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([start, groups]) => ({
      startTime: formatInstant(start),
      endTime: formatInstant(start + role.micros),
      groups,
    }));
}
