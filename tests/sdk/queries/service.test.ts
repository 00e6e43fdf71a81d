import { afterAll, beforeAll, describe, expect, test } from "@jest/globals";
import { EventDatasets, type Match, rows, scalar, totals, warningsOf } from "../../../sdk";
import { failure } from "../../support/client";
import { startTemporaryEmulator } from "../../support/deployment";

const total = 25;
const start = Date.parse("2026-11-20T00:00:00Z");
const period = { startTime: new Date(start), endTime: new Date(start + 86_400_000) };

/** The local service with a known set of events, and a client of it. */
async function connect(profile: "documented" | "extended") {
  const service = await startTemporaryEmulator({ profile, now: () => new Date("2026-11-21T12:00:00Z") });
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
  const client = new EventDatasets({ baseUrl: service.url, accessToken: service.rootToken, profile });
  return {
    service,
    queries: client.queries,
    client,
    async [Symbol.asyncDispose]() {
      await client.close();
      await service[Symbol.asyncDispose]();
    },
  };
}

let documented: Awaited<ReturnType<typeof connect>>;
let extended: Awaited<ReturnType<typeof connect>>;
beforeAll(async () => {
  [documented, extended] = await Promise.all([connect("documented"), connect("extended")]);
});
afterAll(async () => {
  await documented[Symbol.asyncDispose]();
  await extended[Symbol.asyncDispose]();
});

async function numbers(matches: AsyncIterable<Match>): Promise<unknown[]> {
  const found = [];
  for await (const { data } of matches) found.push(data.n);
  return found;
}

describe("against the local service", () => {
  test("a query in the query language has every documented field", async () => {
    const result = await documented.queries.apl({
      apl: "['web'] | summarize count(), max(n) by bin(_time, 12h), method",
      ...period,
    });
    expect(result).toEqual({
      buckets: {
        series: [
          { startTime: "2026-11-20T00:00:00Z", endTime: "2026-11-20T12:00:00Z", groups: expect.any(Array) },
          { startTime: "2026-11-20T12:00:00Z", endTime: "2026-11-21T00:00:00Z", groups: expect.any(Array) },
        ],
        totals: [
          {
            id: 0,
            group: { method: "GET" },
            aggregations: [
              { op: "count_", value: 20 },
              { op: "max_n", value: 24 },
            ],
          },
          {
            id: 1,
            group: { method: "PUT" },
            aggregations: [
              { op: "count_", value: 5 },
              { op: "max_n", value: 20 },
            ],
          },
        ],
      },
      matches: [],
      status: {
        blocksExamined: expect.any(Number),
        cacheStatus: 0,
        elapsedTime: expect.any(Number),
        isEstimate: false,
        isPartial: false,
        minBlockTime: "2026-11-20T00:00:00Z",
        maxBlockTime: "2026-11-20T20:00:00Z",
        numGroups: 2,
        rowsExamined: total,
        rowsMatched: total,
        messages: [],
      },
      datasetNames: ["web"],
      fieldsMetaMap: {
        web: expect.arrayContaining([expect.objectContaining({ name: "n", type: expect.any(String) })]),
      },
      request: expect.objectContaining({ apl: expect.any(String), groupBy: ["method"], resolution: "43200s" }),
    });
  });

  test("a structured query takes every documented field", async () => {
    const result = await documented.queries.dataset("web", {
      ...period,
      aggregations: [
        { op: "count", field: "*", alias: "events" },
        { op: "percentiles", field: "n", argument: [50, 100], alias: "p" },
      ],
      filter: {
        op: "and",
        children: [
          { field: "n", op: ">=", value: 5 },
          { field: "method", op: "starts-with", value: "g", caseSensitive: false },
        ],
      },
      groupBy: ["method"],
      order: [{ field: "events", desc: true }],
      limit: 10,
      resolution: "auto",
      queryOptions: { displayNull: "null" },
      includeCursor: false,
      project: [],
      continuationToken: "",
      cursor: "",
    });
    expect(totals(result)).toEqual([{ method: "GET", events: 16, p: expect.any(Array) }]);
    expect(result.fieldsMeta.map(({ name }) => name)).toEqual(expect.arrayContaining(["_time", "n", "method", "user"]));
    expect(rows(result).length).toBeGreaterThan(1);
  });

  test("rows, totals and a scalar are the same from buckets and from tables", async () => {
    const ask = async (apl: string) => {
      const request = { apl, ...period };
      const [buckets, tables] = [
        await extended.queries.apl(request),
        await extended.queries.apl(request, { format: "tabular" }),
      ];
      return { buckets, tables };
    };
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

  test("the pages of a structured query contain every event exactly once", async () => {
    const { queries, service } = documented;
    const before = service.calls.length;
    const all = await numbers(queries.matches({ dataset: "web", ...period, limit: 10 }));
    expect([...all].sort((a, b) => Number(a) - Number(b))).toEqual(Array.from({ length: total }, (_, n) => n));
    expect(service.calls.slice(before).filter(({ path }) => path.endsWith("/query"))).toHaveLength(3);
  });

  test.each(["asc", "desc"])(
    "all pages of a query in the query language are all of its events, %s",
    async (direction) => {
      const apl = `['web'] | sort by _time ${direction} | take 10`;
      const all = await numbers(extended.queries.matches({ apl, ...period }));
      const expected = Array.from({ length: total }, (_, n) => n);
      expect(all).toEqual(direction === "asc" ? expected : expected.reverse());
    },
  );

  test("the error of a wrong query names the position, or the unknown dataset", async () => {
    const { queries, client, service } = extended;
    const wrong = await failure(queries.apl({ apl: "['web']\n| where n =" }));
    expect(wrong).toMatchObject({ status: 400, outcome: "refused" });
    expect(wrong.message).toMatch(/the service says "line 2, column \d+: /);

    const { token } = await client.tokens.create({
      name: "reader",
      datasetCapabilities: { other: { query: ["read"] } },
    });
    await using reader = new EventDatasets({ baseUrl: service.url, accessToken: token, profile: "extended" });
    for (const call of [reader.queries.apl({ apl: "['web']" }), reader.queries.dataset("web", {})]) {
      const { status, message } = await failure(call);
      expect(status).toBe(403);
      expect(message).toContain("the capability query: read for the dataset web");
    }
  });

  test("an integer beyond 2^53 is returned unchanged", async () => {
    const { service, queries } = extended;
    const [largest, event] = [9_223_372_036_854_775_807n, '{"id":9223372036854775807,"ns":1763700000000000001}'];
    const answer = await fetch(`${service.url}/v1/datasets/ids/ingest`, {
      method: "POST",
      headers: { authorization: `Bearer ${service.rootToken}`, "content-type": "application/x-ndjson" },
      body: `${event}\n{"id":1,"ns":2}\n`,
    });
    expect(answer.status).toBe(200);
    const apl = "['ids'] | where id > 9223372036854775806 | project id, ns";
    expect(rows(await queries.apl({ apl }))).toMatchObject([{ id: largest, ns: 1_763_700_000_000_000_001n }]);
    expect(scalar(await queries.apl({ apl: "['ids'] | summarize max(id)" }, { format: "tabular" }))).toBe(largest);
    expect(rows(await queries.apl({ apl: "['ids'] | where id == 1" }))).toMatchObject([{ id: 1, ns: 2 }]);
  });

  test("a message of the service about a response is a warning", async () => {
    const result = await documented.queries.apl({ apl: "['web'] | where colour == 'red' | count" });
    expect(warningsOf(result)).toEqual([expect.stringMatching(/the service says ".*colour.*"/)]);
  });
});
