import { expect, test } from "@jest/globals";
import { shareDatasets } from "./support";

const events = [
  { id: 1, a: "north", b: "america", n: 42, ok: true, list: ["x y", { deep: "Value" }] },
  { id: 2, a: "north america", b: "x", n: 4.25, ok: false, when: "2024-01-01T10:00:00Z" },
  { id: 3, a: "first\nsecond", b: null, n: -7, list: "bare text" },
].map((event) => ({ _time: "2024-01-01T00:00:00Z", ...event }));

const open = shareDatasets({ events });

test.each<readonly [predicate: string, ids: readonly number[]]>([
  ["'north'", [1, 2]],
  ["'north*ica'", [2]],
  ["'first*second'", []],
  ["'-7'", [3]],
  ["'fals*'", [2]],
  ["'value'", [1]],
  ["'bare'", [3]],
  ["'2024-01'", [1, 2, 3]],
  ["''", [1, 2, 3]],
  ["'north' and not('x')", []],
  ["'x' or 'bare'", [1, 2, 3]],
])("search %s finds terms in one field, never across two", async (predicate, ids) => {
  expect(await open.column(`events | search ${predicate} | project id | order by id asc`)).toEqual(ids);
});

test.each<readonly [condition: string, ids: readonly number[]]>([
  ["* has 'america'", [1, 2]],
  ["* contains 'orth amer'", [2]],
  ["* hasprefix 'nor'", [1, 2]],
  ["* == 'x'", [2]],
  ["* matches regex '^amer'", [1]],
  ["* has tolower('VALUE')", [1]],
])("where %s holds of any field", async (condition, ids) => {
  expect(await open.column(`events | where ${condition} | project id | order by id asc`)).toEqual(ids);
});
