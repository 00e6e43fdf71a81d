import { describe, expect, test } from "@jest/globals";
import type { Emulator } from "../../emulator";
import type { ApiTokenInputs, ApiTokenState } from "../../provider/nouns/apiToken/definition";
import { apiToken, hostedApiToken } from "../../provider/nouns/apiToken/lifecycle";
import type { EventDatasets } from "../../sdk";
import { connect } from "../support/client";
import { json, startService } from "../support/service";
import { checkWith, planOf, sessionOf } from "../support/session";
import { beginSession } from "./tokenWorld";

const liveFields = {
  name: "legacy",
  description: "by hand",
  expiresAt: "2030-01-01T00:00:00Z",
  orgCapabilities: { users: ["read"] },
};

/** A service that holds a token which nobody manages. */
async function withLiveToken() {
  const it = await beginSession({ profile: "extended" });
  const { id, token } = await it.client.tokens.create(liveFields);
  return { ...it, id, secret: token };
}

/** As a program declares it, after `check`. */
const live = { ...liveFields, key: "ci", chosenName: true } as const;

const posts = (service: Emulator) => service.calls.filter(({ method }) => method === "POST").length;
const check = (news: object, olds?: object) => {
  const { inputs, failures } = checkWith(hostedApiToken, news, { olds, profile: "extended" });
  return { inputs: inputs as unknown as ApiTokenInputs, failures };
};
const refusal = (client: EventDatasets, inputs: ApiTokenInputs) =>
  apiToken.create(sessionOf(client), inputs).then(
    () => "adopted",
    (e: Error) => e.message,
  );

test("a live token is taken over by its id without creating one, with the secret that the user has", async () => {
  await using it = await withLiveToken();
  const inputs = { ...live, adopt: { id: it.id, token: it.secret } };
  const { id, state } = await apiToken.create(it.session, inputs);
  expect(id).toBe(it.id);
  expect(state).toEqual({
    ...live,
    adopt: { id: it.id },
    token: it.secret,
    evidence: expect.any(String),
    record: {},
  });
  expect(posts(it.service)).toBe(1);
  expect(apiToken.diff(id, state, inputs, planOf("extended"))).toMatchObject({ changes: false, replaces: [] });
});

describe("an adoption is refused", () => {
  test("when declared and live differ, and the error shows what is live", async () => {
    await using it = await withLiveToken();
    const inputs = { ...live, description: "other", orgCapabilities: { users: ["create"] }, adopt: { id: it.id } };
    expect(await refusal(it.client, inputs)).toMatch(
      /is not adopted: it differs from what is declared in description, orgCapabilities \(live: \{"users":\["read"\]\}\)/,
    );
  });

  test("when there is no such token", async () => {
    await using it = await withLiveToken();
    expect(await refusal(it.client, { ...live, adopt: { id: "none" } })).toContain(
      "there is no token with the id of adopt to adopt",
    );
  });

  test("by a resource that manages another token already", () => {
    const state: ApiTokenState = { ...live, token: "xaat-1", record: {} };
    expect(() => apiToken.diff("t1", state, { ...live, adopt: { id: "t2" } }, planOf())).toThrow(
      "adopt names another token, but this resource manages token t1 already",
    );
  });
});

test("once adopt is removed the resource owns the token", async () => {
  await using it = await withLiveToken();
  const adopting = check({ ...liveFields, key: "ci", adopt: { id: it.id } }).inputs;
  const { id, state } = await apiToken.create(it.session, adopting);
  const removed = check({ ...liveFields, key: "ci" }, adopting).inputs;
  const plan = apiToken.diff(id, state, removed, planOf("extended"));
  expect([plan.changes, plan.replaces]).toEqual([true, []]);
  expect(plan.notice).toContain("is owned by this resource from now on");
  const next = await apiToken.update(it.session, id, state, removed);
  expect(next).not.toHaveProperty("adopt");
});

test("an adoption needs an id, and the live token's own name", () => {
  expect(check({ ...live, adopt: {} }).failures).toEqual(["adopt.id is missing"]);
  expect(check({ ...live, adopt: { id: "t1", name: "legacy" } }).failures).toEqual([
    expect.stringMatching(/^adopt\.name is not known/),
  ]);
  expect(check({ key: "ci", adopt: { id: "t1" } }).failures).toEqual([
    expect.stringMatching(/^name is missing: with adopt/),
  ]);
});

test.each(["0001-01-01T00:00:00Z", "0001-01-01T01:00:00.000+01:00", ""])(
  "a live token whose expiry is %j has none: its rotation is not due",
  async (expiresAt) => {
    const token = { id: "t1", name: live.name, expiresAt };
    await using service = await startService(json(200, token));
    await using client = connect(service.url);
    const declared = { key: "ci", name: live.name, expiresIn: "90d", rotation: { rotateBefore: "P2Y" } };
    const { state } = await apiToken.create(sessionOf(client), { ...declared, adopt: { id: "t1" } });
    expect(state).not.toHaveProperty("expiresAt");
    for (const inputs of [{ ...declared, adopt: { id: "t1" } }, declared]) {
      const plan = apiToken.diff("t1", state, inputs, planOf("extended"));
      expect([plan.replaces, plan.notice ?? ""]).toEqual([[], expect.not.stringContaining("expired")]);
    }
  },
);
