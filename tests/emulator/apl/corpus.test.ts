import { describe, expect, test } from "@jest/globals";
import { summaries } from "./corpus/aggregations";
import { pipelines, queries } from "./corpus/operators";
import { rules, terms } from "./corpus/rules";
import { expressions } from "./corpus/scalars";
import { shareDatasets } from "./support";

const open = shareDatasets();

test.each([...queries, ...summaries.map(([summary, values]) => [`logs | summarize ${summary}`, values] as const)])(
  "%s",
  async (apl, values) => {
    expect(await open.column(apl)).toEqual(values);
  },
);

describe.each(Object.entries(expressions))("%s", (_, group) => {
  test.each(group)("%s", async (expression, value) => {
    expect(await open.column(`print ${expression}`)).toEqual([value]);
  });
});

describe.each(Object.entries(rules))("%s", (_, conditions) => {
  test.each(conditions)("where %s", async (condition, ids) => {
    expect(await open.column(`odd | where ${condition} | project id | order by id asc`)).toEqual(ids);
  });
});

test.each(terms)("%s", async (condition, result) => {
  expect(await open.column(`print ${condition.replaceAll("''", "\\'")}`)).toEqual([result]);
});

describe.each(Object.entries(pipelines))("%s", (_, group) => {
  test.each(group)("%s", async (pipeline, values) => {
    expect(await open.column(`logs | ${pipeline}`)).toEqual(values);
  });
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
