import { expect, test } from "@jest/globals";
import type { AplResult } from "../../../emulator/apl";
import { LOGS, shareDatasets } from "./support";

const open = shareDatasets();

const RANGE = { startTime: "2024-01-01T00:00:00Z", endTime: "2024-01-01T02:00:00Z" };

const STATUS = {
  blocksExamined: 1,
  cacheStatus: 0,
  elapsedTime: expect.any(Number),
  isEstimate: false,
  isPartial: false,
  minBlockTime: "2024-01-01T00:00:00Z",
  maxBlockTime: "2024-01-01T01:15:00Z",
  messages: [],
};

test("a summary of an APL query has every documented field", async () => {
  const apl =
    "logs | extend slow = dur > 10 | where status < 500 | summarize n = count(), avg(dur) by bin(_time, 1h), method";
  const result: AplResult<"legacy"> = await open.datasets.apl({ apl, ...RANGE });
  const group = (id: number, method: string, n: number, avg: number) => ({
    id,
    group: { method },
    aggregations: [
      { op: "n", value: n },
      { op: "avg_dur", value: avg },
    ],
  });
  expect(result).toEqual({
    format: "legacy",
    buckets: {
      series: [
        {
          startTime: "2024-01-01T00:00:00Z",
          endTime: "2024-01-01T01:00:00Z",
          groups: [group(0, "GET", 2, 7.5), group(1, "POST", 1, 20.5)],
        },
        { startTime: "2024-01-01T01:00:00Z", endTime: "2024-01-01T02:00:00Z", groups: [group(0, "GET", 1, 15)] },
      ],
      totals: [group(0, "GET", 3, 10), group(1, "POST", 1, 20.5)],
    },
    matches: [],
    datasetNames: ["logs"],
    fieldsMetaMap: {
      logs: expect.arrayContaining([{ name: "dur", type: "float", unit: "", description: "", hidden: false }]),
    },
    status: { ...STATUS, numGroups: 2, rowsExamined: 5, rowsMatched: 4 },
    request: {
      apl,
      ...RANGE,
      resolution: "3600s",
      aggregations: [
        { op: "count", field: "*", alias: "n", argument: null },
        { op: "avg", field: "dur", alias: "avg_dur", argument: null },
      ],
      groupBy: ["method"],
      order: [],
      project: [],
      virtualFields: [{ alias: "slow", expr: "dur > 10" }],
      includeCursor: false,
    },
  });
});

test("events of an APL query have every documented field", async () => {
  const result = await open.datasets.apl({ apl: "logs | where status == 201", ...RANGE });
  const { _time, geo, ...fields } = LOGS.find(({ status }) => status === 201) as {
    _time: string;
    geo?: { city: string };
  };
  expect(result.buckets).toEqual({ series: [], totals: [] });
  expect(result.matches).toEqual([
    {
      _rowId: expect.stringMatching(/^[0-9a-z]{12}-[0-9a-z]{8}-[0-9a-z]+$/),
      _sysTime: "2024-01-02T00:00:00Z",
      _time: "2024-01-01T00:10:00Z",
      data: { ...fields, "geo.city": geo?.city, mix: null },
    },
  ]);
  expect(result.status).toEqual({
    ...STATUS,
    numGroups: 0,
    rowsExamined: 5,
    rowsMatched: 1,
    minCursor: result.matches[0]?._rowId,
    maxCursor: result.matches[0]?._rowId,
  });
});

test("a table holds one list for each field, and totals in a second table", async () => {
  const apl = "logs | summarize n = count(), topk(user, 1) by bin(_time, 1h), ok | order by n desc";
  const { tables, format } = await open.datasets.apl({ apl, ...RANGE }, { format: "tabular" });
  const fields = [
    { name: "ok", type: "boolean" },
    { name: "n", type: "integer", agg: { name: "count", fields: [], args: [] } },
    { name: "topk_user", type: "unknown", agg: { name: "topk", fields: ["user"], args: [1] } },
  ];
  expect(format).toBe("tabular");
  expect(tables[0]).toMatchObject({
    name: "0",
    sources: [{ name: "logs" }],
    fields: [{ name: "_time", type: "datetime" }, ...fields],
    order: [{ field: "n", desc: true }],
    groups: [{ name: "_time" }, { name: "ok" }],
    range: { field: "_time", start: RANGE.startTime, end: RANGE.endTime },
    buckets: { field: "_time", size: 3_600_000_000_000 },
  });
  const [times, ...others] = tables[0]?.columns ?? [];
  expect(times?.map((time) => String(time).slice(11, 16))).toEqual(["00:00", "00:00", "00:00", "01:00", "01:00"]);
  expect(others.slice(0, 2)).toEqual([
    [false, true, null, false, true],
    [1, 1, 1, 1, 1],
  ]);
  expect(tables[1]).toMatchObject({
    name: "_totals",
    fields,
    columns: [[false, true, null], [2, 2, 1], expect.any(Array)],
  });
});

test.each<readonly [string, string, number]>([
  ["2024-01-01T00:10:00Z", "2024-01-01T01:15:00Z", 3],
  ["2024-01-01T01:10:00+01:00", "2024-01-01T01:15:00.000001Z", 4],
  ["now-24h", "now", 6],
  ["now-1d", "now-22h45m", 4],
  ["now-1w", "now+1h", 6],
])("from %s up to but without %s there are %d events", async (startTime, endTime, count) => {
  const { status, matches } = await open.datasets.apl({ apl: "logs", startTime, endTime });
  expect([matches.length, status.rowsExamined, status.rowsMatched]).toEqual([count, count, count]);
});

test("there are counts of the events in the window and of the matched events before grouping and limits", async () => {
  const counts = async (apl: string) => {
    const { status } = await open.datasets.apl({ apl, ...RANGE });
    return [status.rowsExamined, status.rowsMatched, status.numGroups];
  };
  expect(await counts("logs")).toEqual([5, 5, 0]);
  expect(await counts("logs | where ok | take 1")).toEqual([5, 2, 0]);
  expect(await counts("logs | where isnotnull(user) | summarize count() by user | where count_ > 1")).toEqual([
    5, 4, 0,
  ]);
  expect(await counts("logs | where dur > 1000 | count")).toEqual([5, 0, 1]);
  expect(await counts("logs | union odd | count")).toEqual([9, 5, 1]);
});

test("a message names a field of a dataset that has no field yet", async () => {
  await open.datasets.ingest("empty", [{}]);
  const { status } = await open.datasets.apl({ apl: "empty | where nothing == 1 or isnull(nothing) | project zz" });
  expect(status.messages).toEqual([
    { code: "missing_column", count: 2, msg: 'no event has the field "nothing"; its value is null', priority: "warn" },
    { code: "missing_column", count: 1, msg: 'no event has the field "zz"; its value is null', priority: "warn" },
  ]);
});
