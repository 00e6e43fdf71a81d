import { expect, test } from "@jest/globals";
import fc from "fast-check";
import type { LegacyFilter, LegacyResult } from "../../../emulator/apl";
import { runsOf } from "../../fuzz/random";
import { shareDatasets } from "./support";

/** An event of random values, many of them null. */
interface Event {
  readonly _time: string;
  readonly n: number | null;
  readonly s: string | null;
  readonly b: boolean | null;
  readonly absent: null;
}

/** One condition in three spellings. */
interface Condition {
  readonly apl: string;
  readonly filter: LegacyFilter;
  readonly holds: (event: Event) => boolean;
}

const START = Date.UTC(2024, 0, 1);
const WORDS = ["alpha", "Beta", "alpha beta", "gamma-7", "ALPHA", "", "it's"];

const event: fc.Arbitrary<Event> = fc.record({
  _time: fc.integer({ min: 0, max: 6 * 3_600_000 - 1 }).map((ms) => new Date(START + ms).toISOString()),
  n: fc.option(
    fc.oneof(
      fc.integer({ min: -20, max: 20 }),
      fc.integer({ min: -40, max: 40 }).map((n) => n / 4),
    ),
  ),
  s: fc.option(fc.constantFrom(...WORDS)),
  b: fc.option(fc.boolean()),
  absent: fc.constant(null),
});

const quote = (text: string) => `"${text}"`;

/** The comparisons by sign and by name. */
const comparisons: readonly (readonly [sign: string, name: string, holds: (a: number, b: number) => boolean])[] = [
  ["==", "eq", (a, b) => a === b],
  ["!=", "ne", (a, b) => a !== b],
  ["<", "lt", (a, b) => a < b],
  ["<=", "lte", (a, b) => a <= b],
  [">", "gt", (a, b) => a > b],
  [">=", "gte", (a, b) => a >= b],
];

const compared = fc.tuple(fc.constantFrom(...comparisons), fc.boolean(), fc.integer({ min: -20, max: 20 })).map(
  ([[sign, name, holds], byName, value]): Condition => ({
    apl: `n ${sign} ${value}`,
    filter: { op: byName ? name : sign, field: "n", value },
    holds: ({ n }) => (n === null ? sign === "!=" : holds(n, value)),
  }),
);

const TEXT_OPS: readonly (readonly [apl: string, legacy: string, holds: (text: string, word: string) => boolean])[] = [
  ["contains", "contains", (text, word) => text.includes(word)],
  ["startswith", "starts-with", (text, word) => text.startsWith(word)],
  ["endswith", "ends-with", (text, word) => text.endsWith(word)],
];

const textual = fc
  .tuple(
    fc.constantFrom(...TEXT_OPS),
    fc.constantFrom("a", "A", "beta", "alpha", "-7", "it's"),
    fc.boolean(),
    fc.boolean(),
  )
  .map(([[apl, legacy, holds], word, negated, caseSensitive]): Condition => {
    const fold = (text: string) => (caseSensitive ? text : text.toLowerCase());
    return {
      apl: `s ${negated ? "!" : ""}${apl}${caseSensitive ? "_cs" : ""} ${quote(word)}`,
      filter: { op: `${negated ? "not-" : ""}${legacy}`, field: "s", value: word, caseSensitive },
      holds: ({ s }) => (s !== null && holds(fold(s), fold(word))) !== negated,
    };
  });

const equalText = fc
  .tuple(fc.constantFrom(...WORDS), fc.boolean(), fc.boolean())
  .map(([word, negated, caseSensitive]): Condition => {
    const fold = (text: string) => (caseSensitive ? text : text.toLowerCase());
    const op = caseSensitive ? (negated ? "!=" : "==") : negated ? "!~" : "=~";
    return {
      apl: `s ${op} ${quote(word)}`,
      filter: { op: negated ? "!=" : "==", field: "s", value: word, caseSensitive },
      holds: ({ s }) => (s !== null && fold(s) === fold(word)) !== negated,
    };
  });

const present = fc.tuple(fc.constantFrom("n", "s", "b", "absent"), fc.boolean()).map(
  ([field, exists]): Condition => ({
    apl: `${exists ? "isnotnull" : "isnull"}(${field})`,
    filter: { op: exists ? "exists" : "not-exists", field },
    holds: (row) => (((row as unknown as Record<string, unknown>)[field] ?? null) !== null) === exists,
  }),
);

const flag = fc.tuple(fc.boolean(), fc.boolean()).map(
  ([value, negated]): Condition => ({
    apl: `b ${negated ? "!=" : "=="} ${value}`,
    filter: { op: negated ? "ne" : "eq", field: "b", value },
    holds: ({ b }) => (b === value) !== negated,
  }),
);

const { condition } = fc.letrec<{ condition: Condition }>((tie) => ({
  condition: fc.oneof(
    { maxDepth: 3, withCrossShrink: true },
    compared,
    textual,
    equalText,
    present,
    flag,
    fc.tuple(fc.constantFrom("and", "or"), fc.array(tie("condition"), { minLength: 1, maxLength: 3 })).map(
      ([op, parts]): Condition => ({
        apl: `(${parts.map(({ apl }) => apl).join(` ${op} `)})`,
        filter: { op, children: parts.map(({ filter }) => filter) },
        holds: (row) => (op === "and" ? parts.every(({ holds }) => holds(row)) : parts.some(({ holds }) => holds(row))),
      }),
    ),
    tie("condition").map(
      (part): Condition => ({
        apl: `not(${part.apl})`,
        filter: { op: "not", children: [part.filter] },
        holds: (row) => !part.holds(row),
      }),
    ),
  ),
}));

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
/** A name that no dataset has. */
const freshName = () => `d${open.datasets.names().length}`;

test("events that pass a condition are the same three ways", async () => {
  const property = fc.asyncProperty(
    fc.array(event, { minLength: 1, maxLength: 25 }),
    fc.array(condition, { minLength: 4, maxLength: 6 }),
    async (events, conditions) => {
      const name = freshName();
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
  await fc.assert(property, { numRuns: runsOf(20) });
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
      const name = freshName();
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
  await fc.assert(property, { numRuns: runsOf(20) });
});
