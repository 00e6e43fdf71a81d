import { expect, test } from "@jest/globals";
import { call, start } from "./harness";
import { withEvents } from "./queryHarness";

const zeroTime = "0001-01-01T00:00:00Z";

/** A structured query in which nothing is given, as the service's Go client writes it. */
const nothing = {
  ...{ startTime: zeroTime, endTime: zeroTime, resolution: "auto", aggregations: null, groupBy: null, order: null },
  filter: { op: "", field: "", value: null, caseSensitive: false, children: null },
  ...{ limit: 0, project: null, cursor: "", includeCursor: false, continuationToken: "", virtualFields: null },
};

test.each(["documented", "extended"] as const)(
  "null and a client's zero values mean absent in a query, but not in a filter's value: %s",
  async (profile) => {
    await using emulator = await withEvents({ profile });
    const ask = (more: object) => call(emulator.url, "POST /v1/datasets/web/query", { body: { ...nothing, ...more } });
    for (const [more, found] of [
      [{}, 3],
      [{ filter: null }, 3],
      [{ filter: {} }, 3],
      [{ filter: { op: "==", field: "status", value: 200, caseSensitive: false, children: null } }, 2],
      [{ filter: { op: "==", field: "absent", value: null } }, 0],
      [{ limit: 2 }, 2],
    ] as const)
      expect([more, (await ask(more)).body.matches?.length]).toEqual([more, found]);
    const aggregations = [{ op: "count", alias: "", field: "*", argument: null }];
    const { body } = await ask({ aggregations, groupBy: ["method"] });
    expect(body.buckets.totals).toMatchObject([2, 1].map((value) => ({ aggregations: [{ op: "count", value }] })));
    expect((await ask({ filter: { field: "status" } })).body.message).toBe("filter.op: is required");
    for (const invalid of [{ aggregations: [null] }, { limit: -1 }]) expect((await ask(invalid)).status).toBe(400);
  },
);

test.each([zeroTime, null])(
  "an expiry of %j means none: the token works, also after a regeneration",
  async (expiresAt) => {
    await using emulator = await start({ profile: "extended" });
    const body = { name: "ci", expiresAt, orgCapabilities: { apiTokens: ["read"] } };
    const made = (await call(emulator.url, "POST /v2/tokens", { body })).body;
    const works = async (token: string) => (await call(emulator.url, "GET /v2/tokens", { token })).status === 200;
    expect(await works(made.token)).toBe(true);
    const times = { existingTokenExpiresAt: "2020-01-01T00:00:00Z", newTokenExpiresAt: zeroTime };
    const next = (await call(emulator.url, `POST /v2/tokens/${made.id}/regenerate`, { body: times })).body;
    expect([await works(made.token), await works(next.token)]).toEqual([false, true]);
  },
);

test.each([
  { orgCapabilities: { datasets: [], apiTokens: [] } },
  { datasetCapabilities: { web: { query: [] } } },
  { datasetCapabilities: null, orgCapabilities: {} },
])("the extended profile refuses capabilities without an action: %j", async (capabilities) => {
  await using emulator = await start({ profile: "extended" });
  const refused = await call(emulator.url, "POST /v2/tokens", { body: { name: "ci", ...capabilities } });
  expect(refused).toMatchObject({ status: 400, body: { message: "at least one capability must be set" } });
});

test.each(["", "1", "none", "utf-8"])("the content encoding %j changes nothing", async (encoding) => {
  await using emulator = await start();
  const headers = { "content-encoding": encoding };
  expect((await call(emulator.url, "POST /v2/tokens", { body: { name: "ci" }, headers })).status).toBe(200);
});
