import { expect, test } from "@jest/globals";
import fc from "fast-check";
import type { Datasets, LegacyResult } from "../../../emulator/apl";
import { failure, NOW, shareDatasets } from "./support";

type Match = LegacyResult["matches"][number];

const open = shareDatasets({});

test("without a limit a list has a thousand events and a warning, and a cursor continues it", async () => {
  const events = Array.from({ length: 1005 }, (_, i) => ({ _time: NOW.getTime() - Math.floor(i / 3) * 1000, i }));
  await open.datasets.ingest("many", events);
  const first = await open.datasets.apl({ apl: "many | project i" });
  expect([first.matches.length, first.status.rowsMatched, first.status.isPartial]).toEqual([1000, 1005, false]);
  expect(first.status.messages).toEqual([
    { code: "default_limit_warning", count: 1, msg: "the result was cut at 1000 rows", priority: "warn" },
  ]);
  const last = first.matches.at(-1)?._rowId ?? "";
  expect(first.status.minCursor).toBe(last);
  const rest = await open.datasets.apl({ apl: "many | project i", cursor: last });
  const seen = [...first.matches, ...rest.matches].map(({ data }) => data.i);
  expect([rest.matches.length, new Set(seen).size]).toEqual([5, 1005]);
  const again = await open.datasets.apl({ apl: "many | take 2", cursor: last, includeCursor: true });
  expect(again.matches.map(({ _rowId }) => _rowId)).toEqual([last, rest.matches[0]?._rowId]);
  const up = await open.datasets.apl({ apl: "many | order by _time asc | take 10", cursor: last });
  expect(up.matches.every(({ _rowId }) => _rowId > last)).toBe(true);
  const refused = await failure(open.datasets.apl({ apl: "many | order by i asc", cursor: last }));
  expect(refused.message).toMatch(/a cursor works only for a list of events that is sorted by time/);
  expect((await failure(open.datasets.apl({ apl: "many", cursor: "zz" }))).message).toMatch(/not a cursor/);
});

/** Queries whose answers are lists of events in the order of their time; each is cut into pages by `take`. */
const lists = [
  "a",
  "a | order by _time asc",
  "union a, b, c",
  "union a, b, c | order by _time asc",
  "union a, a, b",
  "['*'] | where n >= 0",
  "search 'x'",
  "union (a | order by _time asc), b",
  "a | order by _time asc | union b",
];

const smallEvent = fc.record({
  _time: fc.integer({ min: 0, max: 2 }).map((second) => NOW.getTime() - second * 1000),
  n: fc.nat(9),
  text: fc.constant("x"),
});

const smallDatasets = fc.record({
  a: fc.array(smallEvent, { minLength: 1, maxLength: 8 }),
  b: fc.array(smallEvent, { minLength: 1, maxLength: 5 }),
  c: fc.array(smallEvent, { minLength: 1, maxLength: 3 }),
});

/** All pages of a list: what they show, in order. */
async function pagesOf(datasets: Datasets, apl: string, size: number, rows: number): Promise<Match[]> {
  const shown: Match[] = [];
  const isUp = /\| order by _time asc$/.test(apl);
  for (let cursor = ""; shown.length <= rows; ) {
    const { matches, status } = await datasets.apl({ apl: `${apl} | take ${size}`, cursor });
    if (matches.length === 0) break;
    shown.push(...matches);
    cursor = (isUp ? status.maxCursor : status.minCursor) ?? "";
    expect(cursor).toBe(matches.at(-1)?._rowId);
  }
  return shown;
}

/** Some random datasets, each with the size of its pages. */
const samples = fc.sample(fc.tuple(smallDatasets, fc.integer({ min: 1, max: 7 })), 3);
const opened = samples.map(([content]) => shareDatasets(content));

test.each(lists)("%s: pages of any size show every row once and in order, under ids of their own", async (apl) => {
  for (const [n, { datasets }] of opened.entries()) {
    const [content, size] = samples[n] ?? [];
    const { matches } = await datasets.apl({ apl });
    const paged = await pagesOf(datasets, apl, size ?? 1, matches.length);
    expect({ content, size, paged }).toEqual({ content, size, paged: matches });
    expect(new Set(matches.map(({ _rowId }) => _rowId)).size).toBe(matches.length);
  }
});

test.each([true, false])(
  "the continuation tokens of structured queries show every event once, too (descending: %s)",
  async (desc) => {
    for (const [n, { datasets }] of opened.entries()) {
      const [content, limit = 1] = samples[n] ?? [];
      const order = [{ field: "_time", desc }];
      const { matches } = await datasets.legacy("a", { order });
      const shown: Match[] = [];
      for (let continuationToken = ""; ; ) {
        const page = await datasets.legacy("a", { order, limit, continuationToken });
        shown.push(...page.matches);
        if (!page.status.continuationToken) break;
        continuationToken = page.status.continuationToken;
      }
      expect({ content, limit, shown }).toEqual({ content, limit, shown: matches });
    }
  },
);
