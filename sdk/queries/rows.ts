import { emptyObject } from "../../values/json";
import { withPrintableFailures } from "../../values/printable";
import type { Group, Match } from "./result";
import type { Table } from "./table";
import type { QueryObject, QueryValue } from "./values";

/** Names with values. */
export type Row = QueryObject;

type Grouped = Pick<Group, "group" | "aggregations">;

interface EventsResponse {
  readonly buckets: {
    readonly series: readonly { readonly startTime: string; readonly groups: readonly Grouped[] }[];
    readonly totals: readonly Grouped[];
  };
  readonly matches: readonly Pick<Match, "_time" | "data">[];
}

interface TabularResponse {
  readonly tables: readonly (Pick<Table, "name" | "fields" | "groups" | "columns"> & { readonly buckets?: unknown })[];
}

/** A response of the client or of a data function, as far as `rows`, `totals` and `scalar` read it. */
export type QueryResponse = EventsResponse | TabularResponse;

/** Reads rows of a response; a second argument converts each row. */
interface RowReader {
  (response: QueryResponse): Row[];
  <T>(response: QueryResponse, read: (row: Row) => T): T[];
}

const makeReader = (readAll: (response: QueryResponse) => Row[]): RowReader =>
  withPrintableFailures((response: QueryResponse, read: (row: Row) => unknown = (row) => row) =>
    readAll(response).map((row) => read(row)),
  ) as RowReader;

/**
 * The rows of a response as plain objects: the events with `_time` and their fields, or a row for each group if the query
 * aggregates. If the response has a series, there is a row for each group in each interval, with the start of the interval as
 * `_time`. A second argument converts each row.
 *
 * @example
 * ```ts
 * const services = rows(response, ({ service }) => String(service));
 * ```
 */
export const rows = makeReader(readRows);

/** The totals of a query that aggregates, with a row for each group; empty for other queries. */
export const totals = makeReader(readTotals);

/**
 * The single value of a response: of a query with one aggregation and one group, or of a row with one field.
 * @throws Error unless there is exactly one
 *
 * @example
 * ```ts
 * const failures = queryAplOutput({ apl }).apply(scalar);
 * ```
 */
export const scalar = withPrintableFailures((response: QueryResponse): QueryValue => {
  const [value, ...more] = readScalars(response);
  if (value !== undefined && more.length === 0) return value;
  const found = value === undefined ? "no value" : "more than one value";
  throw new Error(`the response has ${found}: scalar() needs exactly one`);
});

function readRows(response: QueryResponse): Row[] {
  if ("tables" in response) return response.tables.filter((table) => table.name !== totalsName).flatMap(readTable);
  const { matches, buckets } = response;
  if (matches.length > 0) return matches.map(({ _time, data }) => makeRow([["_time", _time], ...Object.entries(data)]));
  const series = buckets.series.flatMap(({ startTime, groups }) =>
    groups.map((group) => makeGroupRow(group, startTime)),
  );
  return series.length > 0 ? series : readTotals(response);
}

function readTotals(response: QueryResponse): Row[] {
  if (!("tables" in response)) return response.buckets.totals.map((group) => makeGroupRow(group));
  return findTotalTables(response).flatMap(readTable);
}

/** The values, at least two if there are several. */
function readScalars(response: QueryResponse): QueryValue[] {
  if ("tables" in response) {
    const aggregated = findTotalTables(response);
    return (aggregated.length > 0 ? aggregated : response.tables).flatMap(({ groups, fields, columns }) => {
      const keys = new Set(groups.map(({ name }) => name));
      return columns.filter((_, i) => !keys.has(fields[i]?.name ?? "")).flatMap((column) => column.slice(0, 2));
    });
  }
  const { buckets, matches } = response;
  if (buckets.totals.length > 0) return buckets.totals.flatMap(({ aggregations }) => aggregations.map((a) => a.value));
  return matches.flatMap(({ data }) => Object.values(data));
}

const totalsName = "_totals";

/** The tables with a row for each group: those named `_totals`, or else the aggregated tables without intervals. */
function findTotalTables({ tables }: TabularResponse): TabularResponse["tables"] {
  const named = tables.filter(({ name }) => name === totalsName);
  if (named.length > 0) return named;
  return tables.filter(({ fields, buckets }) => !buckets && fields.some(({ agg }) => agg !== undefined));
}

function readTable({ fields, columns }: Pick<Table, "fields" | "columns">): Row[] {
  return (columns[0] ?? []).map((_, at) => makeRow(fields.map(({ name }, i) => [name, columns[i]?.[at] ?? null])));
}

const makeGroupRow = ({ group, aggregations }: Grouped, time?: string): Row =>
  makeRow([
    ...(time === undefined ? [] : [["_time", time] as const]),
    ...Object.entries(group),
    ...aggregations.map(({ op, value }) => [op, value] as const),
  ]);

/** Makes an object without a prototype, because the names come from the service. */
function makeRow(entries: Iterable<readonly [string, QueryValue]>): Row {
  const row = emptyObject<QueryValue>();
  for (const [name, value] of entries) row[name] = value;
  return row;
}
