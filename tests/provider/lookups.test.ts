import { describe, expect, test } from "@jest/globals";
import { ask, type Lookup } from "../../framework/functions";
import type { Bag } from "../../framework/lifecycle";
import { dataFunctions } from "../../framework/program/functions";
import { lookups } from "../../provider/eventDatasets";
import { getToken, getTokens, type QueryAplResult, queryApl, queryDataset } from "../../provider/lookups";
import type { WithClient } from "../../provider/shared/account/connection";
import { thisPackage } from "../../provider/shared/strings";
import { connect } from "../support/client";
import { beginSession } from "../support/host";
import { aplAnswer, datasetAnswer, matches } from "../support/queryAnswers";
import { json, raw, startService } from "../support/service";

const openly = { isSecret: false, warn: async () => undefined };
const day = 86_400_000;

test("a token is expired by the clock of this machine, which makes expiries, whatever a gateway says", async () => {
  const [there, end] = [new Date(Date.now() - 2 * day), new Date(Date.now() - day)];
  const tokens = [{ id: "t1", name: "ci", expiresAt: end.toISOString() }];
  await using it = await beginSession("documented", json(200, tokens, { date: there.toUTCString() }));
  expect(await ask(getTokens, it, { expired: true }, openly)).toEqual({ tokens });
});

test.each([
  [{ id: "" }, "getToken: argument id must be a string that is not empty"],
  [{ name: "" }, "getToken: argument name must be a string that is not empty"],
])("%j looks up no token", async (args, message) => {
  await using it = await beginSession("documented", json(200, []));
  await expect(ask(getToken, it, args, openly)).rejects.toThrow(message);
  expect(it.service.calls).toEqual([]);
});

const [ci, cd] = ["ci", "cd"].map((name, n) => ({ id: `t${n + 1}`, name }));

test.each([
  [{ id: "t1" }, { id: "t1", name: 7, description: 8 }, 1],
  [{ id: "t1" }, ci, 0],
  [{ name: "ci" }, [ci, { ...cd, description: 8 }], 1],
])("a lookup of %j tells of a token that cannot be read completely: %j", async (args, answer, told) => {
  await using it = await beginSession("documented", json(200, answer));
  const lines: string[] = [];
  const warn = async (line: string) => void lines.push(line);
  expect(await ask(getToken, it, args, { isSecret: false, warn })).toMatchObject({ id: "t1" });
  const warning = expect.stringContaining("getToken: the service returned one token in an unexpected form");
  expect(lines).toEqual(Array(told).fill(warning));
});

test("an argument that is null is absent", async () => {
  await using it = await beginSession("documented", json(200, [ci, cd]));
  const all = { name: null, namePrefix: null, expired: null, expiringWithin: null, capability: null };
  expect((await ask(getTokens, it, all as never, openly)).tokens).toHaveLength(2);
  expect(await ask(getToken, it, { id: null, name: "ci" } as never, openly)).toMatchObject({ id: "t1" });
  const neither = ask(getToken, it, { id: null, name: null } as never, openly);
  await expect(neither).rejects.toThrow("getToken: set either id or name");
});

const canary = "cnry-secret-argument";
const discreetly = { isSecret: true, warn: async () => {} };

test("of a failing lookup or query with secret arguments nothing is repeated, nor of what the service says", async () => {
  await using it = await beginSession("documented", json(400, { message: `unknown ${canary}` }), json(200, []));
  await expect(ask(queryApl, it, { apl: canary }, discreetly)).rejects.toThrow(
    /^queryApl failed \(status 400\); the reason is hidden because an argument is secret$/,
  );
  await expect(ask(getToken, it, { name: canary }, discreetly)).rejects.toThrow(
    /^getToken failed; the reason is hidden because an argument is secret$/,
  );
});

test("the plain form of a data function takes no argument for secret, so its failures give their reason", async () => {
  const { plain } = dataFunctions(thisPackage, async (_lookup, _args, _settings, isSecret) => isSecret);
  expect(await plain(getToken)({ id: "t1" })).toBe(false);
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
const respond = (levels: number) => {
  const body = JSON.stringify({ ...aplAnswer, matches: [{ ...matches[0], data: "event" }] });
  return raw(body.replace('"event"', nested(levels)));
};

test("an event that is nested too deeply for a program is an error that names the limit", async () => {
  await using it = await beginSession("documented", respond(90), respond(20_000));
  const result = (await ask(queryApl, it, { apl: "['web']" }, openly)) as QueryAplResult;
  expect(JSON.stringify(result.matches?.[0]?.data)).toBe(nested(90));
  await expect(ask(queryApl, it, { apl: "['web']" }, openly)).rejects.toThrow(
    "the result is nested deeper than 100 levels",
  );
});

describe("a query of a field that no event ever had is an error", () => {
  const messages = [{ code: "missing_column", msg: 'no field "stauts"', priority: "warn" }];
  const period = { startTime: "a", endTime: "b" };

  const refusal = json(400, { code: 400, message: 'invalid field: "stauts", nearest: "status"' });
  const warned = (answer: object) =>
    json(200, { ...answer, fieldsMetaMap: { web: [{ name: "status" }] }, status: { messages } });

  const asked: [string, (it: WithClient) => Promise<unknown>, object][] = [
    ["queryApl", (it) => ask(queryApl, it, { apl: "['web'] | where stauts > 1" }, openly), aplAnswer],
    ["queryDataset", (it) => ask(queryDataset, it, { dataset: "web", ...period }, openly), datasetAnswer],
  ];

  test.each(asked)("%s, whether the service refuses it or warns of it", async (_, query, answer) => {
    const fieldsMeta = [{ name: "status" }];
    await using it = await beginSession("extended", refusal, warned({ ...answer, fieldsMeta }));
    await expect(query(it)).rejects.toThrow('invalid field: "stauts", nearest: "status"');
    const words = 'invalid field: the service says "no field "stauts"", nearest: "status"';
    await expect(query(it)).rejects.toThrow(words);
  });

  test("which names no field if an argument is secret", async () => {
    await using it = await beginSession("extended", refusal, warned(aplAnswer));
    for (const status of [" (status 400)", ""])
      await expect(ask(queryApl, it, { apl: "['web']" }, discreetly)).rejects.toThrow(
        `queryApl failed${status}; the reason is hidden because an argument is secret`,
      );
  });
});

test.each(Object.entries<Lookup<Bag, unknown, WithClient>>(lookups as never))(
  "%s reads every argument that it takes",
  async (_, lookup) => {
    await using it = await beginSession("extended", json(200, []));
    const read = new Set<PropertyKey>();
    const args = new Proxy<Bag>(Object.fromEntries(Object.keys(lookup.arguments).map((name) => [name, undefined])), {
      get: (_target, name) => void read.add(name),
    });
    await lookup.query(it, args, async () => undefined).catch(() => undefined);
    expect(Object.keys(lookup.arguments).filter((name) => !read.has(name))).toEqual([]);
  },
);
