import { expect, test } from "@jest/globals";
import fc from "fast-check";
import { firstSeed, runsOf } from "../../fuzz/random";
import { anyCharacter } from "../../support/hostile";
import { openTestDatasets } from "./support";

test("names each event that cannot be stored, without its text, and stores the others", async () => {
  await using open = await openTestDatasets({});
  const deep = (levels: number): unknown => (levels === 0 ? 1 : [deep(levels - 1)]);
  const bad: readonly (readonly [unknown, string])[] = [
    [{ a: "secret\ud800" }, "a text has half of a surrogate pair"],
    [{ "secret\udc00": 1 }, "a field's name has half of a surrogate pair"],
    [{ a: { b: [Number.POSITIVE_INFINITY] } }, "a number is too large"],
    [{ a: "x".repeat(1_048_577) }, "it has more than 1 MB"],
    [{ ["é".repeat(101)]: 1 }, "the name of a field has more than 200 bytes"],
    [{ ["a".repeat(100)]: { ["b".repeat(100)]: 1 } }, "the name of a field has more than 200 bytes"],
    [{ a: deep(101) }, "it has more than 100 levels"],
    [Object.fromEntries(Array.from({ length: 2001 }, (_, i) => [`f${i}`, i])), "the rows have more than 2000 fields"],
  ];
  const events = bad.flatMap(([event], i) => [{ i }, event, { i }]);
  const { ingested, failed, failures } = await open.datasets.ingest("a", [...events, { _time: "0000-01-01" }]);
  expect([ingested, failed]).toEqual([2 * bad.length, bad.length + 1]);
  expect(new Set(failures.map(({ error }) => error))).toEqual(
    new Set([...bad.map(([, reason]) => `the event cannot be stored: ${reason}`), "_time is not a valid timestamp"]),
  );
  expect(await open.rows("a | summarize count(), dcount(i)")).toEqual([[2 * bad.length, bad.length]]);
});

test("a name of 200 bytes and a large event are stored, and the service's own names get a prefix", async () => {
  await using open = await openTestDatasets({});
  const name = "é".repeat(100);
  const own = { _sysTime: 1, _rowID: 2, _rowId: 3, _source: 4, _cursor: 5, _blockInfo: 6 };
  const { failures } = await open.datasets.ingest("a", [{ [name]: "x".repeat(1_048_000) }, own]);
  expect(failures).toEqual([]);
  const names = Object.keys(own).map((own) => `_user${own}`);
  expect(await open.rows(`a | where isnotnull(_user_sysTime) | project ${names.join(", ")}`)).toEqual([
    [1, 2, 3, 4, 5, 6],
  ]);
});

/** Every run adds fields to the dataset. A dataset of some hundred runs would need more memory than the service may use. */
const runsOfDataset = 30;

test("stores any JSON object or gives the reason, and never fails as a whole", async () => {
  const event = fc.oneof(
    fc.dictionary(
      fc.oneof(fc.constantFrom("_time", "a", "a.b", ""), fc.string({ unit: anyCharacter })),
      fc.jsonValue(),
    ),
    fc.jsonValue({ stringUnit: anyCharacter }),
  );
  for (let left = runsOf(30); left > 0; left -= runsOfDataset) {
    await using open = await openTestDatasets({});
    await fc.assert(
      fc.asyncProperty(fc.array(event, { maxLength: 6 }), async (events) => {
        const { ingested, failed } = await open.datasets.ingest("any", events);
        expect(ingested + failed).toBe(events.length);
      }),
      { numRuns: Math.min(left, runsOfDataset), seed: firstSeed() + left },
    );
    await open.rows("any | take 10");
  }
});

test("widens a field for values of other types, and loses none of them", async () => {
  await using open = await openTestDatasets({});
  const types = async () => (await open.rows("a | getschema | where ColumnName == 'x' | project ColumnType")).flat();
  await open.datasets.ingest("a", [{ i: 1, x: 9_007_199_254_740_991 }]);
  expect(await types()).toEqual(["long"]);
  await open.datasets.ingest("a", [
    { i: 2, x: 2.5 },
    { i: 3, x: null },
  ]);
  expect(await types()).toEqual(["real"]);
  await open.datasets.ingest("a", [
    { i: 4, x: "text" },
    { i: 5, x: { deep: true } },
    { i: 6, x: [1] },
    { i: 7, y: 1 },
  ]);
  expect(await types()).toEqual(["dynamic"]);
  const kept = [9_007_199_254_740_991, 2.5, null, "text", { deep: true }, [1], null];
  expect(await open.column("a | order by i asc | project x")).toEqual(kept);
  expect(await open.rows("a | where x > 2 | count")).toEqual([[2]]);
});

test("supports several writers and readers at once", async () => {
  await using open = await openTestDatasets({ a: [{ i: -1 }] });
  const writes = Array.from({ length: 20 }, (_, i) => open.datasets.ingest(i % 2 ? "a" : "b", [{ i, [`f${i}`]: i }]));
  const reads = Array.from({ length: 20 }, () => open.rows("a | summarize count(), dcount(i)"));
  for (const [row] of await Promise.all(reads)) expect(row?.[0]).toBe(row?.[1]);
  await Promise.all(writes);
  expect(await open.rows("union a, b | count")).toEqual([[21]]);
});
