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
  expect(await ask(getTokens, client, { expired: true }, openly)).toEqual({ tokens: [] });
});

test.each([
  [{ id: "" }, "getToken: argument id must not be empty"],
  [{ name: "" }, "getToken: argument name must not be empty"],
])("%j looks up no token", async (args, message) => {
  await using service = await startService(json(200, []));
  await using client = connect(service.url);
  await expect(ask(getToken, client, args, openly)).rejects.toThrow(message);
  expect(service.calls).toEqual([]);
});
