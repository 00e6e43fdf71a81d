import { afterAll, beforeAll, describe, expect, test } from "@jest/globals";
import { call, start, type TestEmulator } from "./harness";
import { apl, events, withEvents } from "./queryHarness";

const zeroTime = "0001-01-01T00:00:00Z";

/** A structured query in which nothing is given, as the service's Go client writes it. */
const nothing = {
  startTime: "2026-11-21T00:00:00Z",
  endTime: "2026-11-22T00:00:00Z",
  resolution: "auto",
  aggregations: null,
  groupBy: null,
  filter: { op: "", field: "", value: null, caseSensitive: false, children: null },
  order: null,
  limit: 0,
  project: null,
  cursor: "",
  includeCursor: false,
  continuationToken: "",
};

describe.each(["documented", "extended"] as const)("in the %s profile", (profile) => {
  let emulator: TestEmulator;
  beforeAll(async () => {
    emulator = await withEvents({ profile });
  });
  afterAll(() => emulator.close());

  const ask = (more: object) =>
    call(emulator.url, "POST /v1/datasets/web/query", { body: { ...nothing, virtualFields: null, ...more } });

  test("a query of zero values lists all events", async () => {
    const { status, body } = await ask({});
    expect([status, body.matches?.length]).toEqual([200, events.length]);
  });

  test.each([
    [{ filter: null }, 3],
    [{ filter: {} }, 3],
    [{ filter: { op: "==", field: "status", value: 200, caseSensitive: false, children: null } }, 2],
    [{ filter: { op: "==", field: "absent", value: null } }, 0],
    [{ startTime: zeroTime, endTime: zeroTime }, 3],
    [{ limit: 2 }, 2],
  ])("with %j it finds %d", async (more, found) => {
    const { status, body } = await ask(more);
    expect([status, body.matches?.length]).toEqual([200, found]);
  });

  test("an aggregation may have zero values, too", async () => {
    const aggregations = [{ op: "count", alias: "", field: "*", argument: null }];
    const { body } = await ask({ aggregations, groupBy: ["method"] });
    expect(body.buckets.totals.map(({ aggregations: [n] }: { aggregations: [object] }) => n)).toEqual([
      { op: "count", value: 2 },
      { op: "count", value: 1 },
    ]);
  });

  test("invalid values are still refused", async () => {
    expect((await ask({ filter: { op: "", field: "status", value: 1, children: [] } })).status).toBe(400);
    expect((await ask({ filter: { field: "status" } })).body.message).toBe("filter.op: is required");
    expect((await ask({ aggregations: [null] })).status).toBe(400);
    expect((await ask({ limit: -1 })).status).toBe(400);
  });

  test("a query in the query language has no period if its times are zero", async () => {
    const body = { apl: "['web'] | count", startTime: zeroTime, endTime: zeroTime };
    const search = profile === "extended" ? "?format=legacy" : "";
    const answer = await call(emulator.url, `POST /v1/datasets/_apl${search}`, { body });
    expect(answer.body.status.rowsMatched).toBe(3);
    if (profile === "documented") expect((await apl(emulator, "['web'] | count")).status).toBe(200);
  });
});

test.each([zeroTime, null])(
  "an expiry of %j means none: the token works, also after a regeneration",
  async (expiresAt) => {
    await using emulator = await start({ profile: "extended" });
    const body = { name: "ci", expiresAt, orgCapabilities: { apiTokens: ["read"] } };
    const made = (await call(emulator.url, "POST /v2/tokens", { body })).body;
    const works = async (token: string) => (await call(emulator.url, "GET /v2/tokens", { token })).status === 200;
    expect(await works(made.token)).toBe(true);
    const regenerate = (ends: string) =>
      call(emulator.url, `POST /v2/tokens/${made.id}/regenerate`, {
        body: { existingTokenExpiresAt: ends, newTokenExpiresAt: zeroTime },
      });
    expect(await regenerate(zeroTime)).toMatchObject({
      status: 400,
      body: { message: "existingTokenExpiresAt: is required" },
    });
    expect(await works(made.token)).toBe(true);
    const next = (await regenerate("2020-01-01T00:00:00Z")).body;
    expect([await works(made.token), await works(next.token)]).toEqual([false, true]);
  },
);

test("a token whose lists of capabilities are null has none", async () => {
  await using emulator = await start();
  const body = { name: "ci", description: "", expiresAt: zeroTime, datasetCapabilities: null, orgCapabilities: {} };
  const made = await call(emulator.url, "POST /v2/tokens", { body });
  expect(made).toMatchObject({ status: 200, body: { name: "ci" } });
  expect(made.body).not.toHaveProperty("datasetCapabilities");
});

test("an annotation whose times are zero gets the time of the request and no end time", async () => {
  const now = new Date("2026-01-01T00:00:00Z");
  await using emulator = await start({ profile: "extended", now: () => now });
  const body = { datasets: ["web"], type: "deploy", time: zeroTime, endTime: zeroTime };
  const made = (await call(emulator.url, "POST /v2/annotations", { body })).body;
  expect(made).toEqual({ id: made.id, datasets: ["web"], type: "deploy", time: now.toISOString() });
  const changed = { title: "x", time: zeroTime, endTime: zeroTime };
  expect((await call(emulator.url, `PUT /v2/annotations/${made.id}`, { body: changed })).body).toEqual({
    ...made,
    title: "x",
  });
});

test.each([
  { orgCapabilities: { datasets: [], apiTokens: [] } },
  { datasetCapabilities: { web: { query: [] } } },
  { datasetCapabilities: null, orgCapabilities: {} },
])("the extended profile refuses capabilities without an action: %j", async (capabilities) => {
  await using emulator = await start({ profile: "extended" });
  const refused = await call(emulator.url, "POST /v2/tokens", { body: { name: "ci", ...capabilities } });
  expect(refused).toMatchObject({ status: 400, body: { message: "at least one capability must be set" } });
  await using documented = await start();
  expect((await call(documented.url, "POST /v2/tokens", { body: { name: "ci", ...capabilities } })).status).toBe(200);
});

test.each(["", "1", "none", "utf-8"])("the content encoding %j changes nothing", async (encoding) => {
  await using emulator = await start();
  const headers = { "content-encoding": encoding };
  expect((await call(emulator.url, "POST /v2/tokens", { body: { name: "ci" }, headers })).status).toBe(200);
});
