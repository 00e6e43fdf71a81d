import { expect, test } from "@jest/globals";
import { ask } from "../../framework/functions";
import { getToken, getTokens, type QueryAplResult, queryApl, queryDataset } from "../../provider/lookups";
import { connect } from "../support/client";
import { aplAnswer, datasetAnswer, matches } from "../support/queryAnswers";
import { type Behaviour, json, startService } from "../support/service";

const openly = { isSecret: false, warn: async () => undefined };
const day = 86_400_000;

test("a token is expired by the service's clock, not by a fast clock here", async () => {
  const [there, end] = [new Date(Date.now() - 2 * day), new Date(Date.now() - day)];
  const tokens = [{ id: "t1", name: "ci", expiresAt: end.toISOString() }];
  await using service = await startService(json(200, tokens, { date: there.toUTCString() }));
  await using client = connect(service.url);
  expect(await ask(getTokens, { client }, { expired: true }, openly)).toEqual({ tokens: [] });
});

test.each([
  [{ id: "" }, "getToken: argument id must be a string that is not empty"],
  [{ name: "" }, "getToken: argument name must be a string that is not empty"],
])("%j looks up no token", async (args, message) => {
  await using service = await startService(json(200, []));
  await using client = connect(service.url);
  await expect(ask(getToken, { client }, args, openly)).rejects.toThrow(message);
  expect(service.calls).toEqual([]);
});

test.each([
  [{ id: "t1" }, { id: "t1", name: 7, description: 8 }, 1],
  [{ id: "t1" }, { id: "t1", name: "ci" }, 0],
  [
    { name: "ci" },
    [
      { id: "t1", name: "ci" },
      { id: "t2", name: "cd", description: 8 },
    ],
    1,
  ],
])("a lookup of %j tells of a token that cannot be read completely: %j", async (args, answer, told) => {
  await using service = await startService(json(200, answer));
  await using client = connect(service.url);
  const lines: string[] = [];
  const warn = async (line: string) => void lines.push(line);
  expect(await ask(getToken, { client }, args, { isSecret: false, warn })).toMatchObject({ id: "t1" });
  const warning = expect.stringContaining("getToken: the service returned one token in an unexpected form");
  expect(lines).toEqual(Array(told).fill(warning));
});

test("an argument that is null is absent", async () => {
  const tokens = [
    { id: "t1", name: "ci" },
    { id: "t2", name: "cd" },
  ];
  await using service = await startService(json(200, tokens));
  await using client = connect(service.url);
  const all = { name: null, namePrefix: null, expired: null, expiringWithin: null, capability: null };
  expect((await ask(getTokens, { client }, all as never, openly)).tokens).toHaveLength(2);
  expect(await ask(getToken, { client }, { id: null, name: "ci" } as never, openly)).toMatchObject({ id: "t1" });
  const neither = ask(getToken, { client }, { id: null, name: null } as never, openly);
  await expect(neither).rejects.toThrow("getToken: give either id or name");
});

const canary = "cnry-secret-argument";
const discreetly = { isSecret: true, warn: async () => {} };

test("of a failing lookup or query with secret arguments nothing is repeated, nor of what the service says", async () => {
  await using service = await startService(json(400, { message: `unknown ${canary}` }), json(200, []));
  await using client = connect(service.url);
  await expect(ask(queryApl, { client }, { apl: canary }, discreetly)).rejects.toThrow(
    /^queryApl failed \(status 400\); the reason is left out, as arguments are secret$/,
  );
  await expect(ask(getToken, { client }, { name: canary }, discreetly)).rejects.toThrow(
    /^getToken failed; the reason is left out, as arguments are secret$/,
  );
});

test("no debug line and no progress shows the name of a dataset among secret arguments", async () => {
  await using service = await startService(json(200, datasetAnswer));
  const lines: string[] = [];
  const watch = (call: string) => {
    lines.push(call);
    return () => undefined;
  };
  await using client = connect(service.url, { debug: (line) => lines.push(line), watch });
  const args = { dataset: canary, startTime: "a", endTime: "b" };
  await ask(queryDataset, { client }, args, discreetly);
  expect(service.calls).toEqual([`POST /v1/datasets/${canary}/query`]);
  expect(lines.join("\n")).toContain("POST /v1/datasets/…/query");
  expect(lines.join("\n")).not.toContain(canary);
  await ask(queryDataset, { client }, args, { ...discreetly, isSecret: false });
  expect(lines.at(-1)).toContain(canary);
});

const nested = (levels: number) => `${'{"a":'.repeat(levels)}1${"}".repeat(levels)}`;

/** A result with one event, which is nested so deep. */
const respond =
  (levels: number): Behaviour =>
  (response) => {
    const body = JSON.stringify({ ...aplAnswer, matches: [{ ...matches[0], data: "event" }] });
    response.writeHead(200, { "content-type": "application/json" }).end(body.replace('"event"', nested(levels)));
  };

test("an event that is nested too deeply for a program is an error that names the limit", async () => {
  await using service = await startService(respond(90), respond(20_000));
  await using client = connect(service.url);
  const result = (await ask(queryApl, { client }, { apl: "['web']" }, openly)) as QueryAplResult;
  expect(JSON.stringify(result.matches?.[0]?.data)).toBe(nested(90));
  await expect(ask(queryApl, { client }, { apl: "['web']" }, openly)).rejects.toThrow(
    "the result is nested deeper than 100 levels",
  );
});
