import { expect, test } from "@jest/globals";
import { Catalog, emptyDataset, Reader } from "../../../emulator/apl/catalog";
import { parse } from "../../../emulator/apl/parse";
import { Context } from "../../../emulator/apl/plan/context";
import { planPipeline } from "../../../emulator/apl/plan/pipeline";
import { planQuery } from "../../../emulator/apl/plan/query";
import { shareDatasets } from "./support";

const events = [
  { id: 1, a: "north", b: "america", n: 42, ok: true, list: ["x y", { deep: "Value" }] },
  { id: 2, a: "north america", b: "x", n: 4.25, ok: false, when: "2024-01-01T10:00:00Z" },
  { id: 3, a: "first\nsecond", b: null, n: -7, list: "bare text" },
].map((event) => ({ _time: "2024-01-01T00:00:00Z", ...event }));

const open = shareDatasets({ events });

test.each<readonly [predicate: string, ids: readonly number[]]>([
  ["'north'", [1, 2]],
  ["'north america'", [2]],
  ["'north*ica'", [2]],
  ["'first*second'", []],
  ["'42'", [1]],
  ["'25'", [2]],
  ["'-7'", [3]],
  ["'true'", [1]],
  ["'fals'", []],
  ["'fals*'", [2]],
  ["'value'", [1]],
  ["'deep'", [1]],
  ["'bare'", [3]],
  ["'2024'", [1, 2, 3]],
  ["'2024-01'", [1, 2, 3]],
  ["'\\u001f'", []],
  ["''", [1, 2, 3]],
  ["'north' and not('x')", []],
  ["'x' or 'bare'", [1, 2, 3]],
])("search %s finds terms in one field, never across two", async (predicate, ids) => {
  expect(await open.column(`events | search ${predicate} | project id | order by id asc`)).toEqual(ids);
});

test.each<readonly [condition: string, ids: readonly number[]]>([
  ["* has 'america'", [1, 2]],
  ["* contains 'orth amer'", [2]],
  ["* has_cs 'America'", []],
  ["* hasprefix 'nor'", [1, 2]],
  ["* startswith 'ame'", [1]],
  ["* == 'x'", [2]],
  ["* matches regex '^amer'", [1]],
  ["* has tolower('VALUE')", [1]],
])("where %s holds of any field", async (condition, ids) => {
  expect(await open.column(`events | where ${condition} | project id | order by id asc`)).toEqual(ids);
});

test.each(["search 'needle'", "wide | where * has 'needle'"])(
  "%s looks once at an event, however many fields there are",
  (apl) => {
    const looks = (count: number) => {
      const fields = Array.from({ length: count }, (_, i) => ({
        name: `f${i}`,
        column: `c${i}`,
        type: "string" as const,
      }));
      const catalog = new Catalog();
      catalog.set({ ...emptyDataset(1, "wide"), fields });
      const window = { start: undefined, end: undefined };
      const reader = new Reader(catalog, undefined);
      const environment = { text: apl, now: 0n, window, extent: window, after: undefined, reader };
      const context: Context = new Context(environment, (body) => planPipeline(context, body));
      return planQuery(context, parse(apl)).rows.sql.split("regexp_matches(").length - 1;
    };
    expect([looks(1), looks(150)]).toEqual([1, 1]);
  },
);
