import { type Behaviour, json } from "./service";

/** Answers with every field that the interface has, as the service would send them. */

export const status = {
  blocksExamined: 4,
  cacheStatus: 1,
  continuationToken: "next-1",
  elapsedTime: 542_114,
  isEstimate: false,
  isPartial: true,
  minBlockTime: "2026-11-20T00:00:00Z",
  maxBlockTime: "2026-11-21T00:00:00Z",
  numGroups: 2,
  rowsExamined: 142_655,
  rowsMatched: 3,
  messages: [
    { code: "virtual_field_finalize_error", count: 2, msg: "the field colour cannot be computed", priority: "warn" },
  ],
  minCursor: "c-1",
  maxCursor: "c-9",
  blocksCached: 1,
  blocksMatched: 3,
};

export const fieldMeta = { name: "status", type: "integer", unit: "code", description: "HTTP status", hidden: false };

const group = (id: number, method: string, count: number) => ({
  id,
  group: { method, region: null },
  aggregations: [
    { op: "count_", value: count },
    { op: "slowest", value: [1.5, null] },
  ],
});

export const buckets = {
  series: [
    { startTime: "2026-11-20T00:00:00Z", endTime: "2026-11-20T12:00:00Z", groups: [group(0, "GET", 2)] },
    { startTime: "2026-11-20T12:00:00Z", endTime: "2026-11-21T00:00:00Z", groups: [group(1, "PUT", 1)] },
  ],
  totals: [group(0, "GET", 2), group(1, "PUT", 1)],
};

export const matches = [
  {
    _rowId: "row-1",
    _sysTime: "2026-11-20T10:00:01Z",
    _time: "2026-11-20T10:00:00Z",
    data: { status: 200, user: null, geo: { city: "Oslo" }, tags: ["a", null] },
  },
];

export const datasetAnswer = { buckets, matches, status, fieldsMeta: [fieldMeta] };

export const effectiveRequest = {
  apl: "['web'] | count",
  startTime: "2026-11-20T00:00:00Z",
  endTime: "2026-11-21T00:00:00Z",
  aggregations: [{ alias: "n", argument: [50, 99.5], field: "*", op: "count" }],
  continuationToken: "t",
  cursor: "c",
  filter: {
    caseSensitive: true,
    op: "and",
    children: [{ field: "status", op: ">=", value: 500 }],
  },
  groupBy: ["method"],
  includeCursor: true,
  limit: 10,
  order: [{ field: "_time", desc: true }],
  project: [{ field: "status", alias: "code" }],
  queryOptions: { displayNull: "n/a" },
  resolution: "auto",
  fieldsMeta: [fieldMeta],
  virtualFields: [{ alias: "slow", expr: "dur > 1" }],
};

const aplFacts = {
  format: "legacy",
  datasetNames: ["web"],
  fieldsMetaMap: { web: [fieldMeta] },
  request: effectiveRequest,
};

export const aplAnswer = { buckets, matches, status, ...aplFacts };

const table = {
  sources: [{ name: "web" }],
  order: [{ field: "n", desc: true }],
  groups: [{ name: "_time" }, { name: "method" }],
  range: { field: "_time", start: "2026-11-20T00:00:00Z", end: "2026-11-21T00:00:00Z" },
};

export const tabularAnswer = {
  tables: [
    {
      ...table,
      name: "0",
      fields: [
        { name: "_time", type: "datetime" },
        { name: "method", type: "string" },
        { name: "n", type: "integer", agg: { name: "count", fields: [], args: [] } },
      ],
      buckets: { field: "_time", size: 43_200_000_000_000 },
      columns: [
        ["2026-11-20T00:00:00Z", "2026-11-20T12:00:00Z"],
        ["GET", null],
        [2, 1],
      ],
    },
    {
      ...table,
      name: "_totals",
      groups: [{ name: "method" }],
      fields: [
        { name: "method", type: "string" },
        { name: "n", type: "integer", agg: { name: "count", fields: [], args: [] } },
      ],
      columns: [
        ["GET", null],
        [2, 1],
      ],
    },
  ],
  status,
  ...aplFacts,
  format: "tabular",
};

type Value = string | number | boolean | null;

const result = (totals: readonly unknown[], matches: readonly unknown[], status: object) => ({
  buckets: { series: [], totals },
  datasetNames: ["web"],
  fieldsMetaMap: {},
  matches,
  request: {},
  status: { isPartial: false, messages: [], ...status },
});

const totalOf = (value: Value) => [{ id: 0, group: {}, aggregations: [{ op: "count_", value }] }];

/** The documented answer of a query that computes one value, as text. */
export const oneValueAnswer = (value: Value): string => JSON.stringify(result(totalOf(value), [], {}));

/** The documented answer of a query that computes one value (2.4). */
export const oneValue = (value: Value, status = {}): Behaviour => json(200, result(totalOf(value), [], status));

/** The documented answer of a query that lists events. */
export const events = (...rows: readonly Readonly<Record<string, Value>>[]): Behaviour => eventsOf({}, ...rows);

/** The same with more of a status. */
export const eventsOf = (status: object, ...rows: readonly Readonly<Record<string, Value>>[]): Behaviour =>
  json(
    200,
    result(
      [],
      rows.map((data, i) => ({ _rowId: `r${i}`, _sysTime: time, _time: time, data })),
      status,
    ),
  );

const time = "2026-11-21T12:00:00Z";
