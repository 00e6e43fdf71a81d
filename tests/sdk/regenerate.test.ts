import { describe, expect, test } from "@jest/globals";
import type { TokenRegeneration } from "../../sdk";
import { connect, failure } from "../support/client";
import { startTemporaryEmulator } from "../support/deployment";
import { type Behaviour, hangUp, json, silence, startService } from "../support/service";
import { stopTime, TestTime } from "../support/time";

const until = "2027-01-01T00:00:00Z";
const later = "2027-06-01T00:00:00Z";

describe("a token that is regenerated", () => {
  test("stays valid until the given time, and its successor has a new secret", async () => {
    await using service = await startTemporaryEmulator({ profile: "extended" });
    const client = connect(service.url, { profile: "extended", accessToken: service.rootToken });
    const old = await client.tokens.create({ name: "ci", orgCapabilities: { users: ["read"] } });
    const next = await client.tokens.regenerate(old.id, { existingTokenExpiresAt: until, newTokenExpiresAt: later });
    expect(next).toMatchObject({ name: "ci", expiresAt: later, orgCapabilities: { users: ["read"] } });
    expect(next.id).not.toBe(old.id);
    expect(next.token).toMatch(/^xaat-/);
    expect(next.token).not.toBe(old.token);
    expect(await client.tokens.get(old.id)).toMatchObject({ name: "ci", expiresAt: until });
    expect((await client.tokens.list()).map(({ id }) => id).sort()).toEqual([old.id, next.id].sort());
  });

  test("can get a successor with another description", async () => {
    await using service = await startTemporaryEmulator({ profile: "extended" });
    const client = connect(service.url, { profile: "extended", accessToken: service.rootToken });
    const old = await client.tokens.create({ name: "ci" });
    const newToken = { name: "ci-2", viewCapabilities: { web: { query: ["read"] } } };
    const next = await client.tokens.regenerate(old.id, { existingTokenExpiresAt: until, newToken });
    expect(next).toMatchObject({ name: "ci-2", viewCapabilities: { web: { query: ["read"] } } });
  });
});

const extended = { profile: "extended" } as const;
const minted = { id: "t2", name: "ci", token: "xaat-secret-of-t2" };

test("the request is a POST with the fields under their documented names", async () => {
  await using service = await startService(json(200, minted));
  const regeneration = { existingTokenExpiresAt: until, newTokenExpiresAt: undefined, newToken: { name: "ci" } };
  expect(await connect(service.url, extended).tokens.regenerate("t1", regeneration)).toEqual(minted);
  expect(service.calls).toEqual(["POST /v2/tokens/t1/regenerate"]);
  expect(JSON.parse(service.requests[0]?.body ?? "")).toEqual({
    existingTokenExpiresAt: until,
    newToken: { name: "ci" },
  });
});

describe("a regeneration is sent once, and its outcome is unknown if it may have arrived", () => {
  stopTime();
  const time = new TestTime();
  test.each<[string, Behaviour]>([
    ["a lost connection", hangUp],
    ["no response", time.hold(silence)],
    ["a failure of the service", json(503, {})],
    ["a response without a secret", json(200, { id: "t2", name: "ci" })],
    ["a response without an id", json(200, { name: "ci", token: "xaat-x" })],
  ])("%s", async (_, behaviour) => {
    await using service = await startService(behaviour);
    const client = connect(service.url, { ...extended, watch: time.watch });
    const error = await time.passDuring(failure(client.tokens.regenerate("t1", { existingTokenExpiresAt: until })));
    expect(error.outcome).toBe("unknown");
    expect(service.calls).toEqual(["POST /v2/tokens/t1/regenerate"]);
  });
});

describe("a regeneration is refused before any request", () => {
  test.each<[string, object, string]>([
    [
      "a field that does not exist",
      { existingTokenExpires: until },
      "the field existingTokenExpires does not exist; did",
    ],
    [
      "a field of the new token that does not exist",
      { existingTokenExpiresAt: until, newToken: { name: "ci", expireAt: later } },
      'the field newToken.expireAt does not exist; did you mean "expiresAt"?',
    ],
  ])("for %s", async (_, regeneration, reason) => {
    await using service = await startService(json(200, minted));
    const call = connect(service.url, extended).tokens.regenerate("t1", regeneration as TokenRegeneration);
    await expect(call).rejects.toThrow(`tokens.regenerate: ${reason}`);
    expect(service.calls).toEqual([]);
  });

  test("in the documented profile, which does not have it", async () => {
    await using service = await startService(json(200, minted));
    const call = connect(service.url).tokens.regenerate("t1", { existingTokenExpiresAt: until });
    await expect(call).rejects.toThrow("tokens.regenerate is not part of the documented interface");
    expect(service.calls).toEqual([]);
  });

  test("for an id that would lead to another path", async () => {
    await using service = await startService(json(200, minted));
    const call = connect(service.url, extended).tokens.regenerate("..", { existingTokenExpiresAt: until });
    await expect(call).rejects.toThrow("not a usable id");
    expect(service.calls).toEqual([]);
  });
});
