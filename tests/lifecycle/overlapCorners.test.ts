import { expect, test } from "@jest/globals";
import { Update } from "../../framework/update";
import { hashCredential } from "../../provider/account/account";
import { type ApiTokenInputs, type ApiTokenState, apiToken } from "../../provider/apiToken/lifecycle";
import { isOwnCredential } from "../../provider/apiToken/retire";
import { EventDatasets } from "../../sdk";
import { connect } from "../support/client";
import { startTemporaryEmulator } from "../support/deployment";
import { json, startService } from "../support/service";
import { planOf, sessionOf } from "../support/session";

const inputs: ApiTokenInputs = { key: "ci", name: "ci-0a1b2c3", orgCapabilities: { apiTokens: ["read"] } };
const next: ApiTokenInputs = { ...inputs, name: "ci-1b2c3d4", rotation: { overlap: "2d", triggers: { round: 2 } } };

async function begin() {
  const service = await startTemporaryEmulator({ profile: "extended" });
  const { url: baseUrl, rootToken: accessToken } = service;
  const client = new EventDatasets({ baseUrl, accessToken, profile: "extended", sleep: async () => undefined });
  const first = await apiToken.create(sessionOf(client, new Date()), inputs);
  const session = { ...sessionOf(client, new Date()), update: new Update() };
  return {
    service,
    session,
    plan: planOf("extended", { update: session.update, now: () => new Date() }),
    first,
    calls: () => service.calls.slice(1).map(({ method, path }) => `${method} ${path}`),
    async [Symbol.asyncDispose]() {
      await client.close();
      await service[Symbol.asyncDispose]();
    },
  };
}

test("--replace calls no diff, so no overlap is known: the old token is revoked, not left for ever", async () => {
  await using it = await begin();
  await apiToken.create(it.session, next);
  await apiToken.delete(it.session, it.first.id, it.first.state);
  expect(it.calls()).toEqual(["POST /v2/tokens", `DELETE /v2/tokens/${it.first.id}`]);
});

test("a change in place that the engine makes a replacement has its overlap, too", async () => {
  await using it = await begin();
  it.session.update.claim(it.first.id, "ci", it.first.state);
  const { state } = await apiToken.create(it.session, next);
  expect(state.record.predecessors).toMatchObject([{ id: it.first.id, fate: "overlap" }]);
  await apiToken.delete(it.session, it.first.id, it.first.state);
  expect(it.calls()).toEqual([`POST /v2/tokens/${it.first.id}/regenerate`]);
});

test("a service without the operation is no reason to leave the old token alive: the create fails", async () => {
  const old = { id: "t1", name: "ci-0a1b2c3" };
  const here = json(200, old);
  await using service = await startService(here, json(404, { message: "no such operation" }), here);
  await using client = connect(service.url, { profile: "extended" });
  const session = sessionOf(client);
  const state = { ...inputs, record: { origin: "created" } } as ApiTokenState;
  session.update.replace("ci", { id: "t1", state });
  await expect(apiToken.create(session, next)).rejects.toThrow("404");
  // First, the service's clock: the overlap is counted by it.
  const look = "GET /v2/tokens/t1";
  expect(service.calls).toEqual([look, "POST /v2/tokens/t1/regenerate", look]);
});

test("an adopted token that is deleted before it is replaced is not revoked in the middle of its overlap", async () => {
  await using it = await begin();
  const { id, state } = it.first;
  await apiToken.delete(it.session, id, { ...state, record: { ...state.record, origin: "adopted" } });
  await apiToken.create(it.session, next);
  expect(it.calls()).toEqual([`POST /v2/tokens/${id}/regenerate`]);
});

test("with deleteBeforeReplace the old token stays in the state, since nothing has given it its end yet", async () => {
  await using it = await begin();
  const { id, state } = it.first;
  it.session.update.declare("ApiToken ci", next);
  apiToken.diff(id, state, next, it.plan);
  await expect(apiToken.delete(it.session, id, state)).rejects.toThrow("exclude each other");
  expect(it.calls()).toEqual([]);
});

test("a secret overlap shows neither in the preview nor in the record, where the end would tell it", async () => {
  await using it = await begin();
  const secret = { ...next, secretInputs: ["rotation"] };
  const { notice } = apiToken.diff(it.first.id, it.first.state, secret, it.plan);
  expect(notice).toContain("stays valid until its expiry, which is secret (rotation.overlap)");
  const { state } = await apiToken.create(it.session, secret);
  expect(state.record.predecessors).toEqual([
    expect.objectContaining({ id: it.first.id, fate: "overlap", hidden: ["expiresAt"] }),
  ]);
  expect(JSON.stringify(state.record.predecessors)).not.toMatch(/\d{4}-\d\d-\d\d/);
});

test("a refresh does not prove an alleged token: the name of somebody else's token is not recorded", async () => {
  const foreign = { id: "t9", name: "ci-abcdef1" };
  await using service = await startService(json(200, foreign));
  await using client = connect(service.url, { profile: "extended" });
  const state = { ...inputs, record: { baseUrl: service.url, origin: "alleged" } } as ApiTokenState;
  const read = await apiToken.read(sessionOf(client), "t9", state);
  expect(read?.state).toEqual(state);
});

test("a destroy after an interrupted rotation revokes the adopted predecessor, as its successor's record says", async () => {
  await using it = await begin();
  const { id, state } = it.first;
  const adopted = { ...state, record: { ...state.record, origin: "adopted" } } as ApiTokenState;
  const successor = {
    ...state,
    record: { ...state.record, predecessors: [{ id, fate: "revoke", origin: "adopted" }] },
  } as ApiTokenState;
  const other = await apiToken.create(sessionOf(it.session.client, new Date()), { ...inputs, name: "ci-2c3d4e5" });
  await Promise.all([
    apiToken.delete(it.session, id, adopted),
    apiToken.delete(it.session, other.id, { ...successor, name: "ci-2c3d4e5" }),
  ]);
  expect(it.service.tokens.list()).toEqual([]);
});

test("a resource that is dropped after an interrupted rotation leaves the old token its overlap, whatever is deleted first", async () => {
  await using it = await begin();
  const { id, state } = it.first;
  const rotating = { ...state, rotation: { overlap: "2d", triggers: { round: 1 } } };
  apiToken.diff(id, rotating, next, it.plan);
  const successor = await apiToken.create(it.session, next);
  const later = { ...sessionOf(it.session.client, new Date()), update: new Update() };
  await apiToken.delete(later, id, rotating);
  await apiToken.delete(later, successor.id, successor.state);
  expect(it.service.tokens.list().map((token) => token.id)).toEqual([id]);
  expect(later.warnings).toEqual([
    expect.stringMatching(/may have been replaced, as other .* and stays valid until 2.*Z \(rotation\.overlap\)\.$/),
  ]);
});

test("a token that nobody rotated is revoked, although its rotation has an overlap", async () => {
  await using it = await begin();
  const { id, state } = it.first;
  await apiToken.delete(it.session, id, { ...state, rotation: { overlap: "2d" } });
  expect(it.service.tokens.list()).toEqual([]);
});

test("a token that nobody rotated is revoked, although the service shortened its expiry into the overlap", async () => {
  await using it = await begin();
  const expiresAt = new Date(Date.now() + 86_400_000).toISOString();
  const { id, state } = await apiToken.create(it.session, { ...inputs, name: "ci-2c3d4e5", expiresAt });
  const record = { ...state.record, declared: { expiresAt: "2099-01-01T00:00:00Z" } };
  const later = { ...sessionOf(it.session.client, new Date()), update: new Update() };
  await apiToken.delete(later, id, { ...state, rotation: { overlap: "2d" }, record });
  expect(it.service.tokens.list().map((token) => token.id)).toEqual([it.first.id]);
});

test("an expiry that derives from a secret overlap is not in the warning of a dropped resource", async () => {
  await using it = await begin();
  const { id, state } = it.first;
  const rotating = { ...state, rotation: { overlap: "2d" }, secretInputs: ["rotation"] };
  apiToken.diff(id, rotating, next, it.plan);
  await apiToken.create(it.session, next);
  const later = { ...sessionOf(it.session.client, new Date()), update: new Update() };
  await apiToken.delete(later, id, rotating);
  expect(later.warnings).toEqual([
    expect.stringContaining("stays valid until its expiry, which is secret (rotation.overlap)."),
  ]);
});

test("a lost regeneration does not tell the old token's secret expiry", async () => {
  await using it = await begin();
  const { id, state } = it.first;
  const expiring = {
    ...state,
    expiresAt: new Date(Date.now() + 86_400_000).toISOString(),
    secretInputs: ["expiresAt"],
  };
  const chosen = { ...next, name: "ci", chosenName: true as const };
  apiToken.diff(id, expiring, chosen, it.plan);
  const path = `/v2/tokens/${id}/regenerate`;
  it.service.inject({ method: "POST", path, times: 1, action: { kind: "close-before-response" } });
  const failure = await apiToken.create(it.session, chosen).catch((e: Error) => e.message);
  expect(failure).toContain(`If it exists, the old token (id ${id}) now expires at a time that is secret`);
});

test("a lost regeneration with a chosen name tells that the old token may expire earlier", async () => {
  await using it = await begin();
  const { id, state } = it.first;
  const chosen = { ...next, name: "ci", chosenName: true as const };
  apiToken.diff(id, state, chosen, it.plan);
  const path = `/v2/tokens/${id}/regenerate`;
  it.service.inject({ method: "POST", path, times: 1, action: { kind: "close-before-response" } });
  const failure = await apiToken.create(it.session, chosen).catch((e: Error) => e.message);
  expect(failure).toMatch(new RegExp(`If it exists, the old token \\(id ${id}\\) now expires on 2.*Z`));
});

test("a lost regeneration that is then refused tells that the old token expires earlier", async () => {
  await using it = await begin();
  const { id, state } = it.first;
  apiToken.diff(id, state, next, it.plan);
  const request = { method: "POST", path: `/v2/tokens/${id}/regenerate` };
  it.service.inject({ ...request, action: { kind: "close-before-response" } });
  it.service.inject({ ...request, action: { kind: "status", status: 403, body: { code: 403, message: "no more" } } });
  const failure = await apiToken.create(it.session, next).catch((e: Error) => e.message);
  expect(failure).toMatch(new RegExp(`403: .*no more.*\\. The old token \\(id ${id}\\) now expires on 2.*Z\\.$`));
  expect(it.service.tokens.list()).toMatchObject([{ id }]);
});

test("the credential in use is recognised where an organization is a part of it", () => {
  const token = "xapt-0000";
  const here = {
    baseUrl: "https://a",
    credentialHash: hashCredential(token, "acme"),
    fingerprint: hashCredential(token),
  };
  const state = { ...inputs, token, record: { origin: "created" } } as ApiTokenState;
  expect(isOwnCredential(state, here)).toBe(true);
});
