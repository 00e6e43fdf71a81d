import { expect, test } from "@jest/globals";
import { answers, content } from "./corpus";
import { written } from "./corpus/written";
import { shareDatasets } from "./support";

const open = shareDatasets(content);

test.each(answers)("%s: %s", async (_, apl, values) => {
  expect(await open.column(apl)).toEqual(values);
});

test.each(written)("$apl with $variables", async ({ apl, variables = {}, columns, rows }) => {
  const { tables } = await open.datasets.apl({ apl, variables }, { format: "tabular" });
  const [found] = tables;
  expect(found?.fields.map(({ name }) => name)).toEqual(columns);
  expect((found?.columns[0] ?? []).flatMap((_, i) => found?.columns.map((column) => column[i]))).toEqual(rows);
});

test.each([
  [
    "summarize count(), countif(ok), avg(dur), percentile(dur, 95), sum(dur + 1) by tolower(user), bin(dur, 5)",
    "user dur count_ count_1 avg_dur percentile_dur_95 sum_",
  ],
  [
    "summarize avgif(dur, ok), minif(dur, ok), make_list_if(dur, ok), percentileif(dur, 95, ok), countif(ok)",
    "avg_dur min_dur make_list_dur percentile_dur_95 count_",
  ],
  ["count", "count"],
])("%s names its columns %s", async (pipeline, names) => {
  const { tables } = await open.datasets.apl({ apl: `logs | ${pipeline}` }, { format: "tabular" });
  expect(tables[0]?.fields.map(({ name }) => name).join(" ")).toBe(names);
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

test("a field whose spans turn out to be texts keeps every text", async () => {
  for (const t of ["1.5ms", "soon", "2h0m0s", null]) await open.datasets.ingest("mixed", [{ t }]);
  expect(await open.rows("mixed | getschema | where ColumnName == 't' | project ColumnType")).toEqual([["string"]]);
  expect(await open.column("mixed | where isnotnull(t) | summarize make_set(t)")).toEqual([
    ["1.5ms", "2h0m0s", "soon"],
  ]);
});
