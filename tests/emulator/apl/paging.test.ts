import { afterAll, beforeAll, expect, test } from "@jest/globals";
import { failure, NOW, openTestDatasets } from "./support";

let open: Awaited<ReturnType<typeof openTestDatasets>>;
beforeAll(async () => {
  open = await openTestDatasets({});
});
afterAll(() => open[Symbol.asyncDispose]());

test("without a limit a list ends after a thousand events and says so, and pages go on from a cursor", async () => {
  const events = Array.from({ length: 1005 }, (_, i) => ({ _time: NOW.getTime() - Math.floor(i / 3) * 1000, i }));
  await open.datasets.ingest("many", events);
  const first = await open.datasets.apl({ apl: "many | project i" });
  expect([first.matches.length, first.status.rowsMatched, first.status.isPartial]).toEqual([1000, 1005, false]);
  expect(first.status.messages).toEqual([
    { code: "default_limit_warning", count: 1, msg: "the answer was cut at 1000 rows", priority: "warn" },
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
  expect(refused.message).toMatch(/a cursor continues only a list of events in the order of their time/);
  expect((await failure(open.datasets.apl({ apl: "many", cursor: "zz" }))).message).toMatch(/not a cursor/);
});
