import { beforeAll, describe, expect, test } from "@jest/globals";
import { type Match, rows, scalar, totals } from "../../../sdk";
import { clientOf, startTemporaryEmulator } from "../../support/deployment";
import { openForTests } from "../../support/suite";

const total = 25;
const start = Date.parse("2026-11-20T00:00:00Z");
const period = { startTime: new Date(start), endTime: new Date(start + 86_400_000) };

const now = () => new Date("2026-11-21T12:00:00Z");
const service = openForTests(() => startTemporaryEmulator({ profile: "extended", now }));
const client = openForTests(async () => clientOf(service));
beforeAll(async () => {
  await service.ingest(
    "web",
    Array.from({ length: total }, (_, n) => ({
      _time: new Date(start + n * 3_000_000).toISOString(),
      n,
      method: n % 5 === 0 ? "PUT" : "GET",
      user: n % 2 === 0 ? `user-${n % 4}` : null,
      geo: { city: "Oslo" },
    })),
  );
});

async function numbers(matches: AsyncIterable<Match>): Promise<unknown[]> {
  const found = [];
  for await (const { data } of matches) found.push(data.n);
  return found;
}

describe("against the local service", () => {
  test("rows, totals and a scalar are the same from buckets and from tables", async () => {
    const ask = async (apl: string) => ({
      buckets: await client.queries.apl({ apl, ...period }),
      tables: await client.queries.apl({ apl, ...period }, { format: "tabular" }),
    });
    const sort = (all: readonly object[]) => all.map((row) => JSON.stringify(Object.entries(row).sort())).sort();
    for (const apl of [
      "['web'] | summarize count() by bin(_time, 6h), method",
      "['web'] | summarize count(), avg(n) by user",
      "['web'] | project _time, n, user",
    ]) {
      const { buckets, tables } = await ask(apl);
      expect(rows(buckets).length).toBeGreaterThan(2);
      expect(sort(rows(buckets))).toEqual(sort(rows(tables)));
      expect(sort(totals(buckets))).toEqual(sort(totals(tables)));
    }
    const { buckets, tables } = await ask("['web'] | where method == 'PUT' | summarize count()");
    expect([scalar(buckets), scalar(tables)]).toEqual([5, 5]);
  });

  test.each(["asc", "desc"])(
    "all pages of a query in the query language are all of its events, %s",
    async (direction) => {
      const apl = `['web'] | sort by _time ${direction} | take 10`;
      const all = await numbers(client.queries.matches({ apl, ...period }));
      const expected = Array.from({ length: total }, (_, n) => n);
      expect(all).toEqual(direction === "asc" ? expected : expected.reverse());
    },
  );

  test("an integer beyond 2^53 is returned unchanged", async () => {
    const { queries } = client;
    const [largest, event] = [9_223_372_036_854_775_807n, '{"id":9223372036854775807,"ns":1763700000000000001}'];
    const headers = { authorization: `Bearer ${service.rootToken}`, "content-type": "application/x-ndjson" };
    const request = { method: "POST", headers, body: `${event}\n{"id":1,"ns":2}\n` };
    expect((await fetch(`${service.url}/v1/datasets/ids/ingest`, request)).status).toBe(200);
    const apl = "['ids'] | where id > 9223372036854775806 | project id, ns";
    expect(rows(await queries.apl({ apl }))).toMatchObject([{ id: largest, ns: 1_763_700_000_000_000_001n }]);
    expect(scalar(await queries.apl({ apl: "['ids'] | summarize max(id)" }, { format: "tabular" }))).toBe(largest);
    expect(rows(await queries.apl({ apl: "['ids'] | where id == 1" }))).toMatchObject([{ id: 1, ns: 2 }]);
  });
});
