import { expect, test } from "@jest/globals";
import { ask } from "../../framework/functions";
import { getToken } from "../../provider/lookups/getToken";
import { getTokens } from "../../provider/lookups/getTokens";
import { connect } from "../support/client";
import { json, startService } from "../support/service";

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
  [{ id: "" }, "getToken: argument id must not be empty"],
  [{ name: "" }, "getToken: argument name must not be empty"],
])("%j looks up no token", async (args, message) => {
  await using service = await startService(json(200, []));
  await using client = connect(service.url);
  await expect(ask(getToken, { client }, args, openly)).rejects.toThrow(message);
  expect(service.calls).toEqual([]);
});

test.each([
  [{ id: "t1", name: 7, description: 8 }, ["getToken: the service returned one token in an unexpected form"]],
  [{ id: "t1", name: "ci" }, []],
])("a token that is looked up by its id is reported if it cannot be read completely: %j", async (token, told) => {
  await using service = await startService(json(200, token));
  await using client = connect(service.url);
  const lines: string[] = [];
  const warn = async (line: string) => void lines.push(line);
  expect(await ask(getToken, { client }, { id: "t1" }, { isSecret: false, warn })).toMatchObject({ id: "t1" });
  expect(lines).toEqual(told.map((line) => expect.stringContaining(line)));
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
