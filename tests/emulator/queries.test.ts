import { afterAll, beforeAll, describe, expect, test } from "@jest/globals";
import { call, type TestEmulator } from "./harness";
import { apl, withEvents } from "./queryHarness";

// No query changes anything.
let emulator: TestEmulator;
let extended: TestEmulator;
beforeAll(async () => {
  [emulator, extended] = await Promise.all([withEvents(), withEvents({ profile: "extended" })]);
});
afterAll(() => Promise.all([emulator, extended].map((one) => one?.close())));

describe("a query in the query language", () => {
  test("is answered with every member that is documented", async () => {
    const { status, body } = await apl(emulator, "['web'] | summarize count() by method");
    expect(status).toBe(200);
    expect(Object.keys(body).sort()).toEqual([
      "buckets",
      "datasetNames",
      "fieldsMetaMap",
      "matches",
      "request",
      "status",
    ]);
    expect(body.buckets.totals).toEqual([
      { id: 0, group: { method: "GET" }, aggregations: [{ op: "count_", value: 2 }] },
      { id: 1, group: { method: "PUT" }, aggregations: [{ op: "count_", value: 1 }] },
    ]);
    expect(body.status).toMatchObject({ rowsExamined: 3, rowsMatched: 3, numGroups: 2, isPartial: false });
    expect(body.datasetNames).toEqual(["web"]);
  });

  test.each([
    [{}, "apl: is required"],
    [{ apl: "" }, "apl: is required"],
    [{ apl: "['web']", startTime: "soon" }, /startTime/],
    [{ apl: "['web']", startTime: "now-999999999999d" }, /^startTime/],
    [{ apl: "['web']", endTime: "now+999999999999d" }, /^endTime/],
  ])("with the body %j is refused", async (body, message) => {
    const answer = await call(emulator.url, "POST /v1/datasets/_apl", { body });
    expect([answer.status, answer.body.message]).toEqual([400, expect.stringMatching(message)]);
  });
});

describe("the format of a response", () => {
  test("is required in the extended profile, and gives buckets or tables", async () => {
    const emulator = extended;
    const ask = (search: string) =>
      call(emulator.url, `POST /v1/datasets/_apl${search}`, { body: { apl: "['web'] | summarize count()" } });
    expect((await ask("")).status).toBe(400);
    expect((await ask("?format=xml")).status).toBe(400);
    expect((await ask("?format=legacy&nocache=true")).body).toMatchObject({
      format: "legacy",
      buckets: {},
      matches: [],
    });
    const { body } = await ask("?format=tabular");
    expect(body).toMatchObject({ format: "tabular", tables: [{ name: "0", columns: [[3]] }] });
    expect(body.buckets).toBeUndefined();
  });
});

describe("a structured query", () => {
  test("is answered with every member that is documented", async () => {
    const { status, body } = await call(emulator.url, "POST /v1/datasets/web/query", {
      body: {
        aggregations: [{ op: "count", field: "*", alias: "n" }],
        groupBy: ["method"],
        filter: { op: "and", children: [{ field: "status", op: "==", value: 200 }] },
        startTime: "2026-11-21T00:00:00Z",
        endTime: "2026-11-22T00:00:00Z",
        resolution: "1h",
        order: [{ field: "n", desc: true }],
        limit: 10,
      },
    });
    expect(status).toBe(200);
    expect(Object.keys(body).sort()).toEqual(["buckets", "fieldsMeta", "matches", "status"]);
    expect(body.buckets.series.map(({ startTime }: { startTime: string }) => startTime)).toEqual([
      "2026-11-21T10:00:00Z",
      "2026-11-21T11:00:00Z",
    ]);
    expect(body.status.rowsMatched).toBe(2);
  });

  test.each([
    [{ filter: { children: [] } }, "filter.op: is required"],
    [
      { filter: { op: "and", children: [{ op: "==", Field: "x" }] } },
      "filter.children[0].Field: there is no such field",
    ],
    [{ aggregations: [{ op: "frobnicate" }] }, "frobnicate"],
    [{ continuationToken: "nonsense" }, "nonsense"],
  ])("with the body %j is refused", async (body, message) => {
    const answer = await call(emulator.url, "POST /v1/datasets/web/query", { body });
    expect([answer.status, answer.body.message]).toEqual([400, expect.stringContaining(message)]);
  });
});
