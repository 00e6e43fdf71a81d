import { expect, test } from "@jest/globals";
import { answers, content, named, parameterized } from "./corpus";
import { shareDatasets } from "./support";

const open = shareDatasets(content);

test.each(answers)("%s: %s", async (_, apl, values) => {
  expect(await open.column(apl)).toEqual(values);
});

test.each(parameterized)("%s with %j", async (apl, variables, values) => {
  const { tables } = await open.datasets.apl({ apl, variables }, { format: "tabular" });
  const columns = tables[0]?.columns ?? [];
  expect(columns[0]?.flatMap((_, i) => columns.map((column) => column[i]))).toEqual(values);
});

test.each(named)("%s names its columns %j", async (apl, names) => {
  const { tables } = await open.datasets.apl({ apl }, { format: "tabular" });
  expect(tables[0]?.fields.map(({ name }) => name)).toEqual(names);
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
