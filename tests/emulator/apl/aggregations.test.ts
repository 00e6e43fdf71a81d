import { afterAll, beforeAll, expect, test } from "@jest/globals";
import { summaries } from "./corpus/aggregations";
import { openTestDatasets } from "./support";

let open: Awaited<ReturnType<typeof openTestDatasets>>;
beforeAll(async () => {
  open = await openTestDatasets();
});
afterAll(() => open[Symbol.asyncDispose]());

test.each(summaries)("summarize %s", async (summary, rows) => {
  expect(await open.rows(`logs | summarize ${summary}`)).toEqual(rows);
});

test("the name of an aggregation contains its field", async () => {
  const apl =
    "logs | summarize count(), countif(ok), avg(dur), percentile(dur, 95), sum(dur + 1), max(status - 1) by tolower(user), bin(dur, 5)";
  const { tables } = await open.datasets.apl({ apl }, { format: "tabular" });
  expect(tables[0]?.fields.map(({ name }) => name)).toEqual([
    "user",
    "dur",
    "count_",
    "count_1",
    "avg_dur",
    "percentile_dur_95",
    "sum_",
    "max_",
  ]);
});

test("an aggregation with a condition is named as the one without", async () => {
  const apl =
    "logs | summarize avgif(dur, ok), minif(dur, ok), make_list_if(dur, ok), percentileif(dur, 95, ok), countif(ok)";
  const { tables } = await open.datasets.apl({ apl }, { format: "tabular" });
  expect(tables[0]?.fields.map(({ name }) => name)).toEqual([
    "avg_dur",
    "min_dur",
    "make_list_dur",
    "percentile_dur_95",
    "count_",
  ]);
});

test("the operator count creates a column count", async () => {
  const { tables } = await open.datasets.apl({ apl: "logs | count" }, { format: "tabular" });
  expect(tables[0]?.fields.map(({ name }) => name)).toEqual(["count"]);
});

test("a limit after bins of time keeps the top groups of the whole window in every bin", async () => {
  const apl = "logs | summarize n = count() by bin(_time, 1h), method | take 1";
  const { buckets } = await open.datasets.apl({ apl });
  expect(buckets.totals.map(({ group }) => group)).toEqual([{ method: "GET" }]);
  expect(
    buckets.series.map(({ groups }) => groups.map(({ group, aggregations }) => [group.method, aggregations[0]?.value])),
  ).toEqual([[["GET", 2]], [["GET", 1]], [["GET", 1]]]);
});

test("a filter on a bin's aggregation drops bins, and compares totals by their own values", async () => {
  const apl = "logs | summarize n = count() by bin(_time, 1h) | where n >= 3";
  const { buckets } = await open.datasets.apl({ apl });
  expect(buckets.series.map(({ startTime }) => startTime)).toEqual(["2024-01-01T00:00:00Z"]);
  expect(buckets.totals[0]?.aggregations).toEqual([{ op: "n", value: 6 }]);
});
