import { expect, test } from "@jest/globals";
import fc from "fast-check";
import type { LegacyResult } from "../../../emulator/apl";
import { runsOf } from "../../fuzz/random";
import { condition, type Event, event, START } from "./conditions";
import { shareDatasets } from "./support";

/** The same question through the language, through a structured request, and answered by a few lines of TypeScript. */
const numbers = (rows: readonly Event[]) => rows.flatMap(({ n }) => n ?? []).sort((a, b) => a - b);
const round = (value: unknown) => (typeof value === "number" ? Number(value.toFixed(9)) : value);
const percentile = (sorted: readonly number[], p: number) =>
  sorted[Math.max(0, Math.ceil((p / 100) * sorted.length) - 1)] ?? null;

const AGGREGATIONS: readonly (readonly [
  apl: string,
  op: string,
  field: string,
  argument: unknown,
  naive: (rows: readonly Event[]) => unknown,
])[] = [
  ["count()", "count", "*", undefined, (rows) => rows.length],
  ["dcount(s)", "distinct", "s", undefined, (rows) => new Set(rows.flatMap(({ s }) => s ?? [])).size],
  ["sum(n)", "sum", "n", undefined, (rows) => numbers(rows).reduce((a, b) => a + b, 0)],
  [
    "avg(n)",
    "avg",
    "n",
    undefined,
    (rows) => (numbers(rows).length === 0 ? null : numbers(rows).reduce((a, b) => a + b, 0) / numbers(rows).length),
  ],
  ["min(n)", "min", "n", undefined, (rows) => numbers(rows)[0] ?? null],
  ["max(n)", "max", "n", undefined, (rows) => numbers(rows).at(-1) ?? null],
  [
    "percentiles(n, 50, 90)",
    "percentiles",
    "n",
    [50, 90],
    (rows) => (numbers(rows).length === 0 ? null : [percentile(numbers(rows), 50), percentile(numbers(rows), 90)]),
  ],
  ["make_set(s)", "makeset", "s", undefined, (rows) => [...new Set(rows.flatMap(({ s }) => s ?? []))].sort()],
  ["make_list(b)", "makelist", "b", undefined, (rows) => rows.flatMap(({ b }) => b ?? [])],
];

const shape = (groups: LegacyResult["buckets"]["totals"]) =>
  groups
    .map(({ group, aggregations }) =>
      JSON.stringify([group, aggregations.map(({ value }) => (Array.isArray(value) ? value : round(value)))]),
    )
    .sort();

function naiveGroups(
  rows: readonly Event[],
  keys: readonly ("s" | "b")[],
  naive: readonly ((rows: readonly Event[]) => unknown)[],
): string[] {
  const groups = new Map<string, Event[]>();
  if (keys.length === 0 && rows.length === 0) return [];
  for (const row of rows) {
    const key = JSON.stringify(Object.fromEntries(keys.map((name) => [name, row[name]])));
    groups.set(key, [...(groups.get(key) ?? []), row]);
  }
  return [...groups]
    .map(([key, members]) =>
      JSON.stringify([
        JSON.parse(key),
        naive.map((of) => {
          const v = of(members);
          return Array.isArray(v) ? v : round(v);
        }),
      ]),
    )
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
    fc.array(condition, { minLength: 1, maxLength: 6 }),
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
  await fc.assert(property, { numRuns: runsOf(60) });
});

test("groups, their intervals and totals are the same three ways", async () => {
  const keySets = fc.subarray(["s", "b"] as const);
  const hours = fc.constantFrom(1, 2, 3);
  const property = fc.asyncProperty(
    fc.array(event, { minLength: 1, maxLength: 30 }),
    condition,
    keySets,
    fc.subarray([...AGGREGATIONS], { minLength: 1 }),
    hours,
    async (events, where, keys, aggregations, hour) => {
      const name = fresh("groups");
      await open.datasets.ingest(name, events);
      const range = {
        startTime: new Date(START).toISOString(),
        endTime: new Date(START + 6 * 3_600_000).toISOString(),
      };
      const apl = `${name} | where ${where.apl} | summarize ${aggregations.map(([call], i) => `a${i} = ${call}`).join(", ")} by ${[`bin(_time, ${hour}h)`, ...keys].join(", ")}`;
      const through = await open.datasets.apl({ apl, ...range });
      const structured = await open.datasets.legacy(name, {
        ...range,
        resolution: `${hour}h`,
        filter: where.filter,
        groupBy: keys,
        aggregations: aggregations.map(([, op, field, argument], i) => ({ op, field, alias: `a${i}`, argument })),
      });
      const rows = events.filter(where.holds);
      const naive = aggregations.map(([, , , , of]) => of);
      const bin = (row: Event) => Math.floor((Date.parse(row._time) - START) / (hour * 3_600_000));
      const bins = [...new Set(rows.map(bin))].sort((a, b) => a - b);
      for (const { buckets } of [through, structured]) {
        if (rows.length > 0)
          expect({ apl, totals: shape(buckets.totals) }).toEqual({ apl, totals: naiveGroups(rows, keys, naive) });
        expect(buckets.series.map(({ startTime }) => (Date.parse(startTime) - START) / (hour * 3_600_000))).toEqual(
          bins,
        );
        expect(buckets.series.map(({ groups }) => shape(groups))).toEqual(
          bins.map((at) =>
            naiveGroups(
              rows.filter((row) => bin(row) === at),
              keys,
              naive,
            ),
          ),
        );
        const ids = new Map(buckets.totals.map(({ id, group }) => [JSON.stringify(group), id]));
        for (const { groups } of buckets.series)
          for (const { id, group } of groups) expect(id).toBe(ids.get(JSON.stringify(group)));
      }
    },
  );
  await fc.assert(property, { numRuns: runsOf(120) });
});
