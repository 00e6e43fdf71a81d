import { expect, test } from "@jest/globals";
import { isPartialCreate } from "../../framework/lifecycle";
import { Update } from "../../framework/update";
import { type ApiTokenInputs, apiToken } from "../../provider/apiToken/lifecycle";
import { EventDatasets } from "../../sdk";
import { startTemporaryEmulator } from "../support/deployment";
import { planOf, sessionOf } from "../support/session";
import { stopTime } from "../support/time";

stopTime();

const rotation = { overlap: "2d", triggers: { round: 1 } };
const inputs: ApiTokenInputs = {
  key: "ci",
  name: "ci-0a1b2c3",
  orgCapabilities: { apiTokens: ["read"] },
  rotation,
};
const rotated: ApiTokenInputs = { ...inputs, name: "ci-1b2c3d4", rotation: { ...rotation, triggers: { round: 2 } } };

/** A token on a service that can regenerate, and an update that is about to rotate it. */
async function begin(more: Partial<ApiTokenInputs> = {}) {
  const service = await startTemporaryEmulator({ profile: "extended" });
  const { url: baseUrl, rootToken: accessToken } = service;
  const client = new EventDatasets({ baseUrl, accessToken, profile: "extended", sleep: async () => undefined });
  const first = await apiToken.create(sessionOf(client, new Date()), { ...inputs, ...more });
  const session = { ...sessionOf(client, new Date()), update: new Update() };
  const plan = planOf("extended", { update: session.update, now: () => new Date() });
  return {
    service,
    session,
    plan,
    first,
    next: { ...rotated, ...more },
    calls: () => service.calls.slice(1).map(({ method, path }) => `${method} ${path}`),
    async [Symbol.asyncDispose]() {
      await client.close();
      await service[Symbol.asyncDispose]();
    },
  };
}

const inTwoDays = () => new Date(Date.now() + 2 * 86_400_000).toISOString().slice(0, 10);

test("a rotation with an overlap is one request, after which the service itself ends the old token", async () => {
  await using it = await begin();
  const { id: old, state } = it.first;
  const { replaces, notice } = apiToken.diff(old, state, it.next, it.plan);
  expect(replaces).toContain("rotation");
  expect(notice).toMatch(new RegExp(`The old token stays valid until about ${inTwoDays()}.* \\(rotation.overlap\\)`));

  const { id, state: successor } = await apiToken.create(it.session, it.next);
  expect(it.calls()).toEqual([`POST /v2/tokens/${old}/regenerate`]);
  expect(it.service.tokens.list().find((token) => token.id === old)?.expiresAt).toContain(inTwoDays());
  expect(it.service.tokens.list().find((token) => token.id === id)).toMatchObject({ name: rotated.name });
  expect(successor.record.predecessors).toEqual([
    expect.objectContaining({ id: old, fate: "overlap", expiresAt: expect.stringContaining(inTwoDays()) }),
  ]);
  expect(it.session.warnings).toEqual([]);

  await apiToken.delete(it.session, old, state);
  expect(it.calls().filter((call) => call.startsWith("DELETE"))).toEqual([]);
  expect(it.session.progress.at(-1)).toMatch(/was replaced and stays valid until/);
});

test("an overlap is counted by the service's clock, even if the clock of this machine is slow", async () => {
  await using it = await begin();
  const { url: baseUrl, rootToken: accessToken } = it.service;
  await using client = new EventDatasets({ baseUrl, accessToken, profile: "extended" });
  const slow = new Date(Date.now() - 30 * 86_400_000);
  const session = sessionOf(client, slow);
  const { id, state } = it.first;
  apiToken.diff(id, state, it.next, planOf("extended", { update: session.update, now: () => slow }));
  await apiToken.create(session, it.next);
  expect(it.service.tokens.list().find((token) => token.id === id)?.expiresAt).toContain(inTwoDays());
});

test("an old token that expires before the overlap ends keeps its own expiry", async () => {
  const tomorrow = `${new Date(Date.now() + 86_400_000).toISOString().slice(0, 19)}Z`;
  await using it = await begin({ expiresAt: tomorrow });
  apiToken.diff(it.first.id, it.first.state, it.next, it.plan);
  await apiToken.create(it.session, it.next);
  const old = it.service.tokens.list().find(({ id }) => id === it.first.id);
  expect(Date.parse(String(old?.expiresAt))).toBe(Date.parse(tomorrow));
});

test("a predecessor that is gone needs no overlap: its successor is created", async () => {
  await using it = await begin();
  apiToken.diff(it.first.id, it.first.state, it.next, it.plan);
  await it.service.tokens.remove(it.first.id);
  const { state } = await apiToken.create(it.session, it.next);
  expect(state.token).toMatch(/^xaat-/);
  const { id } = it.first;
  expect(it.calls()).toEqual([`POST /v2/tokens/${id}/regenerate`, `GET /v2/tokens/${id}`, "POST /v2/tokens"]);
  // It may be another account that does not have it: nothing moved its expiry.
  expect(state.record.predecessors).toMatchObject([{ id, fate: "revoke" }]);
  await apiToken.delete(it.session, id, it.first.state);
  expect(it.calls().slice(3)).toEqual([`DELETE /v2/tokens/${id}`, "GET /v2/tokens"]);
  expect([...it.session.warnings, ...it.session.progress]).toEqual([]);
});

test("a response that is lost is looked for by the generated name; the token is undone, and the same request sent anew", async () => {
  await using it = await begin();
  apiToken.diff(it.first.id, it.first.state, it.next, it.plan);
  const path = `/v2/tokens/${it.first.id}/regenerate`;
  it.service.inject({ method: "POST", path, times: 1, action: { kind: "close-before-response" } });
  const outcome = await apiToken.create(it.session, it.next).catch((failure: unknown) => failure);
  expect(isPartialCreate(outcome)).toBe(false);
  const sent = it.calls().filter((call) => call.startsWith("POST"));
  expect(sent).toEqual([`POST ${path}`, `POST ${path}`]);
  expect(it.service.tokens.list().filter(({ name }) => name === rotated.name)).toHaveLength(1);
});

test("the documented profile refuses an overlap at preview, and says what to use instead", () => {
  const { failures } = apiToken.check(undefined, { key: "ci", rotation }, planOf("documented"));
  expect(failures).toEqual([
    {
      property: "rotation.overlap",
      reason: expect.stringMatching(/^needs the profile extended: .* use retire: "expire" and a longer rotateBefore$/),
    },
  ]);
});
