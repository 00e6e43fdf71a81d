import { describe, expect, test } from "@jest/globals";
import { openForTests } from "../support/suite";
import { apl, call, countOf, mintedWith, withEvents } from "./harness";

const emulator = openForTests(withEvents);
const extended = openForTests(() => withEvents({ profile: "extended" }));
const emulators = { documented: emulator, extended };

const structured = (body: unknown, { url, token }: { url: string; token?: string } = emulator, dataset = "web") =>
  call(url, `POST /v1/datasets/${dataset}/query`, { body, ...(token && { token }) });

test.each([
  ["POST /v1/datasets/_apl", { apl: "['web']" }, "buckets datasetNames fieldsMetaMap matches request status"],
  ["POST /v1/datasets/web/query", {}, "buckets fieldsMeta matches status"],
])("%s %j has every member that is documented, and no other", async (line, body, members) => {
  const answer = await call(emulator.url, line, { body });
  expect([answer.status, Object.keys(answer.body).sort().join(" ")]).toEqual([200, members]);
  expect(answer.body.status).toMatchObject({ rowsExamined: 3, rowsMatched: 3, isPartial: false });
});

test.each([
  ["_apl", {}, "apl: is required"],
  ["_apl", { apl: "" }, "apl: is required"],
  ["_apl", { apl: "['web']", startTime: "soon" }, "startTime is "],
  ["_apl", { apl: "['web']", startTime: "now-999999999999d" }, "startTime is "],
  ["_apl", { apl: "['web']", endTime: "now+999999999999d" }, "endTime is "],
  ["web/query", { filter: { children: [] } }, "filter.op: is required"],
  [
    "web/query",
    { filter: { op: "and", children: [{ op: "==", Field: "x" }] } },
    "filter.children[0].Field: there is no such",
  ],
  ["web/query", { filter: { field: "status" } }, "filter.op: is required"],
  ["web/query", { aggregations: [{ op: "frobnicate" }] }, 'the aggregation op "frobnicate"'],
  ["web/query", { aggregations: [null] }, "aggregations[0]: must be an object"],
  ["web/query", { limit: -1 }, "limit is -1"],
  ["web/query", { continuationToken: "nonsense" }, '"nonsense" is not a cursor'],
])("a query to %s with the body %j is refused", async (path, body, message) => {
  const answer = await call(emulator.url, `POST /v1/datasets/${path}`, { body });
  expect(answer).toMatchObject({ status: 400, body: { message: expect.stringContaining(message) } });
});

test("the format of a response is required in the extended profile, and gives buckets or tables", async () => {
  const ask = (search: string) =>
    call(extended.url, `POST /v1/datasets/_apl${search}`, { body: { apl: "['web'] | summarize count()" } });
  expect([(await ask("")).status, (await ask("?format=xml")).status]).toEqual([400, 400]);
  expect((await ask("?format=legacy&nocache=true")).body).toMatchObject({ format: "legacy", buckets: {}, matches: [] });
  const { body } = await ask("?format=tabular");
  expect(body).toMatchObject({ format: "tabular", tables: [{ name: "0", columns: [[3]] }] });
  expect(body.buckets).toBeUndefined();
});

const zeroTime = "0001-01-01T00:00:00Z";

/** A structured query in which nothing is given, as the service's Go client writes it. */
const nothing = {
  startTime: zeroTime,
  endTime: zeroTime,
  resolution: "auto",
  aggregations: null,
  groupBy: null,
  order: null,
  filter: { op: "", field: "", value: null, caseSensitive: false, children: null },
  limit: 0,
  project: null,
  cursor: "",
  includeCursor: false,
  continuationToken: "",
  virtualFields: null,
};

test.each(["documented", "extended"] as const)(
  "null and a client's zero values mean absent in a query, but not in a filter's value: %s",
  async (profile) => {
    const ask = (more: object) => structured({ ...nothing, ...more }, emulators[profile]);
    for (const [more, found] of [
      [{}, 3],
      [{ filter: null }, 3],
      [{ filter: {} }, 3],
      [{ filter: { op: "==", field: "status", value: 200, caseSensitive: false, children: null } }, 2],
      [{ filter: { op: "==", field: "status", value: null } }, 0],
      [{ limit: 2 }, 2],
    ] as const)
      expect([more, (await ask(more)).body.matches?.length]).toEqual([more, found]);
    const aggregations = [{ op: "count", alias: "", field: "*", argument: null }];
    const { body } = await ask({ aggregations, groupBy: ["method"] });
    expect(body.buckets.totals).toMatchObject([2, 1].map((value) => ({ aggregations: [{ op: "count", value }] })));
  },
);

describe("a token", () => {
  const may = (dataset: string, key: string, action: string) => ({
    datasetCapabilities: { [dataset]: { [key]: [action] } },
  });
  const lacks = (what: string) => `the token lacks the capability query: read for ${what}`;

  // A property tries every form of a query that names a dataset: apl/access.
  test("may query only the datasets that it has the capability for", async () => {
    const token = await mintedWith(emulator.url, {}, may("web", "query", "read"));
    const { url } = emulator;
    expect((await apl(emulator, "['we*'] | count", { token })).status).toBe(200);
    expect((await structured({ limit: 1 }, { url, token })).status).toBe(200);
    for (const [answer, what] of [
      [await apl(emulator, "union ['web'], ['other'] | count", { token }), "the dataset other"],
      [await apl(emulator, "['nothing'] | count", { token }), "the dataset nothing"],
      [await apl(emulator, "search 'x'", { token }), "all datasets that * matches"],
      // The same for a wildcard that matches a forbidden dataset and for one that matches nothing.
      [await apl(emulator, "['oth*'] | count", { token }), "all datasets that oth* matches"],
      [await apl(emulator, "['no*'] | count", { token }), "all datasets that no* matches"],
      [await structured({ limit: 1 }, { url, token }, "other"), "the dataset other"],
    ] as const)
      expect(answer).toMatchObject({ status: 403, body: { message: lacks(what) } });
    expect((await apl(emulator, "['no*'] | count")).status).toBe(404);
  });

  test.each([
    ["the wrong action", may("web", "query", "create")],
    ["all of the organization", { orgCapabilities: { datasets: ["read", "create", "update", "delete"] } }],
    ["the capability to ingest", may("web", "ingest", "create")],
  ])("with %s may not query", async (_, capabilities) => {
    const token = await mintedWith(emulator.url, {}, capabilities);
    expect((await apl(emulator, "['web'] | count", { token })).status).toBe(403);
  });

  test("may ingest only into the datasets that it has the capability for", async () => {
    const token = await mintedWith(extended.url, {}, may("new", "ingest", "create"));
    const send = (dataset: string) =>
      call(extended.url, `POST /v1/datasets/${dataset}/ingest`, { token, body: [{ a: 1 }] });
    expect([(await send("new")).status, (await send("other")).status]).toEqual([200, 403]);
    expect(await countOf(extended, "new")).toBe(1);
  });
});

test("a field that no event has is refused with exactly the service's message, and numbers for programs", async () => {
  const { status, body } = await apl(emulators.extended, "['web'] | where nosuch == 1");
  const detail = { message: 'invalid field: "nosuch"', line: 1, column: 17, errorType: 1 };
  expect([status, body]).toEqual([400, { code: 400, message: detail.message, detail }]);
  const filter = { op: "==", field: "nosuch", value: 1 };
  expect(await structured({ resolution: "auto", filter }, emulators.extended)).toMatchObject({
    status: 400,
    body: { message: detail.message },
  });
});

test.each(["parse_json", "todynamic"])("a text too deep for a result is a limit, not a failure: %s", async (read) => {
  const deep = "strcat(strrep(strrep('[', 1000), 10), strrep(strrep(']', 1000), 10))";
  for (const value of [`${read}(${deep})`, `hash(${read}(${deep}))`]) {
    const { status, body } = await apl(emulators.extended, `print x = ${value}`);
    expect([status, body.message]).toEqual([422, expect.stringMatching(/nested too deeply$/)]);
  }
  expect((await apl(emulators.extended, "['web'] | count")).status).toBe(200);
});
