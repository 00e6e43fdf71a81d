import { expect, test } from "@jest/globals";
import fc from "fast-check";
import type { LegacyResult } from "../../../emulator/apl";
import { runsOf } from "../../fuzz/random";
import { condition, type Event, event, START } from "./conditions";
import { shareDatasets } from "./support";

/** The same question through the language, through a structured request, and answered by a few lines of TypeScript. */
const numbers = (rows: readonly Event[]) => rows.flatMap(({ n }) => n ?? []).sort((a, b) => a - b);
const round = (value: unknown): unknown => (typeof value === "number" ? Number(value.toFixed(9)) : value);
const sum = (list: readonly number[]) => list.reduce((a, b) => a + b, 0);
const percentile = (sorted: readonly number[], p: number) =>
  sorted[Math.max(0, Math.ceil((p / 100) * sorted.length) - 1)];
const ofSome = (of: (sorted: readonly number[]) => unknown) => (rows: readonly Event[]) =>
  numbers(rows).length === 0 ? null : of(numbers(rows));

type Naive = (rows: readonly Event[]) => unknown;
const AGGREGATIONS: readonly (readonly [apl: string, op: string, field: string, argument: unknown, naive: Naive])[] = [
  ["count()", "count", "*", undefined, (rows) => rows.length],
  ["dcount(s)", "distinct", "s", undefined, (rows) => new Set(rows.flatMap(({ s }) => s ?? [])).size],
  ["sum(n)", "sum", "n", undefined, (rows) => sum(numbers(rows))],
  ["avg(n)", "avg", "n", undefined, ofSome((sorted) => sum(sorted) / sorted.length)],
  ["min(n)", "min", "n", undefined, ofSome((sorted) => sorted[0])],
  ["max(n)", "max", "n", undefined, ofSome((sorted) => sorted.at(-1))],
  [
    "percentiles(n, 50, 90)",
    "percentiles",
    "n",
    [50, 90],
    ofSome((sorted) => [50, 90].map((p) => percentile(sorted, p))),
  ],
  ["make_set(s)", "makeset", "s", undefined, (rows) => [...new Set(rows.flatMap(({ s }) => s ?? []))].sort()],
  ["make_list(b)", "makelist", "b", undefined, (rows) => rows.flatMap(({ b }) => b ?? [])],
];

const shape = (groups: LegacyResult["buckets"]["totals"]) =>
  groups
    .map(({ group, aggregations }) => JSON.stringify([group, aggregations.map(({ value }) => round(value))]))
    .sort();

function naiveGroups(
  rows: readonly Event[],
  keys: readonly ("s" | "b")[],
  aggregations: typeof AGGREGATIONS,
): string[] {
  const keyOf = (row: Event) => JSON.stringify(Object.fromEntries(keys.map((name) => [name, row[name]])));
  return [...Map.groupBy(rows, keyOf)]
    .map(([key, members]) => JSON.stringify([JSON.parse(key), aggregations.map(([, , , , of]) => round(of(members)))]))
    .sort();
}

const open = shareDatasets({});
let runs = 0;
const fresh = (kind: string) => {
  runs += 1;
  return `${kind}${runs}`;
};

test("events that pass a condition are the same three ways", async () => {
  const property = fc.asyncProperty(
    fc.array(event, { minLength: 1, maxLength: 25 }),
    fc.array(condition, { minLength: 4, maxLength: 6 }),
    async (events, conditions) => {
      const name = fresh("rows");
      await open.datasets.ingest(
        name,
        events.map((row, i) => ({ ...row, i })),
      );
      for (const { apl, filter, holds } of conditions) {
        const expected = events.flatMap((row, i) => (holds(row) ? [i] : []));
        const through = await open.datasets.apl({ apl: `${name} | where ${apl} | project i` });
        const structured = await open.datasets.legacy(name, { filter, project: [{ field: "i" }] });
        const ids = ({ matches }: Pick<LegacyResult, "matches">) =>
          matches.map(({ data }) => Number(data.i)).sort((a, b) => a - b);
        expect({ apl, ids: ids(through) }).toEqual({ apl, ids: expected });
        expect({ filter, ids: ids(structured) }).toEqual({ filter, ids: expected });
        expect(through.status).toMatchObject({ rowsExamined: events.length, rowsMatched: expected.length });
      }
    },
  );
  await fc.assert(property, { numRuns: runsOf(40) });
});

const question = fc.record({
  where: condition,
  keys: fc.subarray(["s", "b"] as const),
  aggregations: fc.subarray([...AGGREGATIONS], { minLength: 1 }),
  hours: fc.constantFrom(1, 2, 3),
});
const range = { startTime: new Date(START).toISOString(), endTime: new Date(START + 6 * 3_600_000).toISOString() };

test("groups, their intervals and totals are the same three ways", async () => {
  const property = fc.asyncProperty(
    fc.array(event, { minLength: 1, maxLength: 30 }),
    fc.array(question, { minLength: 3, maxLength: 3 }),
    async (events, questions) => {
      const name = fresh("groups");
      await open.datasets.ingest(name, events);
      for (const { where, keys, aggregations, hours } of questions) {
        const calls = aggregations.map(([call], i) => `a${i} = ${call}`).join(", ");
        const apl = `${name} | where ${where.apl} | summarize ${calls} by ${[`bin(_time, ${hours}h)`, ...keys].join(", ")}`;
        const through = await open.datasets.apl({ apl, ...range });
        const structured = await open.datasets.legacy(name, {
          ...range,
          resolution: `${hours}h`,
          filter: where.filter,
          groupBy: keys,
          aggregations: aggregations.map(([, op, field, argument], i) => ({ op, field, alias: `a${i}`, argument })),
        });
        const rows = events.filter(where.holds);
        const naive = (some: readonly Event[]) => naiveGroups(some, keys, aggregations);
        const binOf = (time: string) => Math.floor((Date.parse(time) - START) / (hours * 3_600_000));
        const bins = [...Map.groupBy(rows, ({ _time }) => binOf(_time))].sort(([a], [b]) => a - b);
        for (const { buckets } of [through, structured]) {
          const totals = rows.length === 0 ? [] : shape(buckets.totals); // without rows and keys there is one
          const series = buckets.series.map(({ startTime, groups }) => [binOf(startTime), shape(groups)]);
          const expected = bins.map(([bin, members]) => [bin, naive(members)]);
          expect({ apl, totals, series }).toEqual({ apl, totals: naive(rows), series: expected });
          const ids = new Map(buckets.totals.map(({ id, group }) => [JSON.stringify(group), id]));
          for (const { id, group } of buckets.series.flatMap(({ groups }) => groups))
            expect(id).toBe(ids.get(JSON.stringify(group)));
        }
      }
    },
  );
  await fc.assert(property, { numRuns: runsOf(40) });
});
