import type { EventsResult, Group, Table, TabularResult } from "./result";
import type { QueryObject, QueryValue } from "./values";

/** Names with values. */
export type Row = QueryObject;

/** What the helpers need of an answer; also fits one that was written down as plain JSON. */
export type Answer = Pick<EventsResult, "buckets" | "matches"> | Pick<TabularResult, "tables">;

/**
 * The rows of an answer as plain objects: its events, with `_time` beside their fields; or, of a query that aggregates, a
 * row for each group, and where the answer has a series for each group in each interval, with the interval's start as
 * `_time`.
 * @param read makes of each row what you want to have; it may throw
 */
export function rows(answer: Answer): Row[];
export function rows<T>(answer: Answer, read: (row: Row) => T): T[];
export function rows<T>(answer: Answer, read?: (row: Row) => T): (T | Row)[] {
  const all = rowsOf(answer);
  return read ? all.map((row) => read(row)) : all;
}

/** The totals of a query that aggregates, a row for each group; none for one that does not. */
export function totals(answer: Answer): Row[];
export function totals<T>(answer: Answer, read: (row: Row) => T): T[];
export function totals<T>(answer: Answer, read?: (row: Row) => T): (T | Row)[] {
  const all = totalsOf(answer);
  return read ? all.map((row) => read(row)) : all;
}

/**
 * The one value of an answer that has one: the value of a query with one aggregation and one group, or the one field of
 * one row.
 * @throws Error if there is not exactly one
 */
export function scalar(answer: Answer): QueryValue {
  const [value, ...more] = scalarsOf(answer);
  if (value === undefined || more.length > 0)
    throw new Error(
      `the answer has ${value === undefined ? "no value" : "more than one value"}: scalar() needs exactly one`,
    );
  return value;
}

function rowsOf(answer: Answer): Row[] {
  if ("tables" in answer) return answer.tables.filter((table) => table.name !== totalsName).flatMap(rowsOfTable);
  const { matches, buckets } = answer;
  if (matches.length > 0) return matches.map(({ _time, data }) => rowOf([["_time", _time], ...Object.entries(data)]));
  const series = buckets.series.flatMap(({ startTime, groups }) => groups.map((group) => rowOfGroup(group, startTime)));
  return series.length > 0 ? series : totalsOf(answer);
}

function totalsOf(answer: Answer): Row[] {
  if (!("tables" in answer)) return answer.buckets.totals.map((group) => rowOfGroup(group));
  return totalTables(answer).flatMap(rowsOfTable);
}

/** At most two of the values, which is enough to know. */
function scalarsOf(answer: Answer): QueryValue[] {
  if ("tables" in answer) {
    const aggregated = totalTables(answer);
    return (aggregated.length > 0 ? aggregated : answer.tables).flatMap(({ groups, fields, columns }) => {
      const keys = new Set(groups.map(({ name }) => name));
      return columns.filter((_, i) => !keys.has(fields[i]?.name ?? "")).flatMap((column) => column.slice(0, 2));
    });
  }
  const { buckets, matches } = answer;
  if (buckets.totals.length > 0) return buckets.totals.flatMap(({ aggregations }) => aggregations.map((a) => a.value));
  return matches.flatMap(({ data }) => Object.values(data));
}

const totalsName = "_totals";

/** The tables with one row a group: those called so, or without any the aggregated ones that are not cut by time. */
function totalTables({ tables }: Pick<TabularResult, "tables">): readonly Table[] {
  const named = tables.filter(({ name }) => name === totalsName);
  if (named.length > 0) return named;
  return tables.filter(({ fields, buckets }) => !buckets && fields.some(({ agg }) => agg !== undefined));
}

function rowsOfTable({ fields, columns }: Table): Row[] {
  return (columns[0] ?? []).map((_, at) => rowOf(fields.map(({ name }, i) => [name, columns[i]?.[at] ?? null])));
}

const rowOfGroup = ({ group, aggregations }: Group, time?: string): Row =>
  rowOf([
    ...(time === undefined ? [] : [["_time", time] as const]),
    ...Object.entries(group),
    ...aggregations.map(({ op, value }) => [op, value] as const),
  ]);

/** Without a prototype: the names come from the service. */
function rowOf(entries: Iterable<readonly [string, QueryValue]>): Row {
  const row: Record<string, QueryValue> = Object.create(null);
  for (const [name, value] of entries) row[name] = value;
  return row;
}
