import { describe, expect, test } from "@jest/globals";
import { annotation } from "../../provider/lifecycle/annotation/annotation";
import { checkInputs } from "../../provider/lifecycle/check";
import { Ledger } from "../../provider/lifecycle/ledger";
import { type ApiTokenInputs, type ApiTokenState, apiToken } from "../../provider/lifecycle/token/apiToken";
import { connect } from "../support/client";
import { json, startService } from "../support/service";
import { planOf, sessionOf } from "../support/session";

const freshPlan = (more: object = {}) => planOf("extended", { ledger: new Ledger(), ...more });

/** What a create records on a service that answers like this, and what a read then finds on one that answers the same. */
async function record(inputs: ApiTokenInputs, answer: object) {
  await using service = await startService(
    json(200, { id: "t1", ...answer, token: "xaat-1" }),
    json(200, { id: "t1", ...answer }),
  );
  await using client = connect(service.url, { profile: "extended" });
  const session = sessionOf(client);
  const { id, state } = await apiToken.create(session, inputs);
  const found = await apiToken.read(session, id, state);
  return { state, found, warnings: session.warnings };
}

describe("the expiry that the service gives", () => {
  const rotation = { expireAfter: "90d", rotateBefore: "14d" };
  const capped = "2026-12-21T12:00:00Z";

  test("decides the rotation: a token of 90 days that was capped at 30 is replaced in time", async () => {
    const inputs = { name: "ci", rotation };
    const { state, found, warnings } = await record(inputs, { name: "ci", expiresAt: capped });
    expect(state).toMatchObject({ expiresAt: capped });
    expect(warnings).toEqual([expect.stringContaining("answered other values than declared for expiresAt")]);
    expect(found).toEqual({ state, inputs });
    const at = (text: string) => apiToken.diff("t1", state, inputs, freshPlan({ now: () => new Date(text) }));
    expect(at("2026-12-07T11:59:59Z").changes).toBe(false);
    expect(at("2026-12-07T12:00:00Z").notice).toContain("expires 2026-12-21, inside the 14-day window");
  });

  test.each([
    ["another one", capped, { expiresAt: capped }],
    ["none", undefined, {}],
  ])("is recorded beside the declared one if it is %s, and is no drift", async (_, given, recorded) => {
    const inputs = { name: "ci", expiresAt: "2030-01-01T00:00:00Z" };
    const { state, found } = await record(inputs, { name: "ci", ...(given ? { expiresAt: given } : {}) });
    const { name, expiresAt, declaredExpiresAt } = state;
    expect({ name, expiresAt, declaredExpiresAt }).toEqual({
      ...{ name: "ci", expiresAt: undefined, ...recorded },
      declaredExpiresAt: "2030-01-01T00:00:00Z",
    });
    expect(found).toEqual({ state, inputs });
    expect(apiToken.diff("t1", state, inputs, freshPlan()).changes).toBe(false);
    const later = { ...inputs, expiresAt: "2031-01-01T00:00:00Z" };
    expect(apiToken.diff("t1", state, later, freshPlan()).replaces).toEqual(["expiresAt"]);
    await using client = connect("http://127.0.0.1:1");
    const updated = await apiToken.update(sessionOf(client), "t1", state, { ...inputs, retire: "revoke" });
    expect(updated).toEqual({ ...state, retire: "revoke" });
  });

  test("of a state of an earlier version is where it was put then", () => {
    const earlier: ApiTokenState = {
      name: "ci",
      rotation,
      createdAt: "2026-11-21T12:00:00Z",
      expiresAt: "2027-02-19T12:00:00Z",
    };
    const state = { ...earlier, resolvedExpiresAt: "2027-02-19T12:00:00Z", answered: { expiresAt: capped } };
    const plan = freshPlan({ now: () => new Date("2026-12-08T00:00:00Z") });
    expect(apiToken.diff("t1", state, { name: "ci", rotation }, plan).notice).toContain("expires 2026-12-21");
    const declared = { name: "ci", expiresAt: "2030-01-01T00:00:00Z" };
    const chosen = { ...declared, answered: { expiresAt: capped } };
    expect(apiToken.diff("t1", chosen, declared, freshPlan()).changes).toBe(false);
  });

  test("if it is none, refuses to leave the token to its expiry", async () => {
    const inputs = { name: "ci", expiresIn: "90d", retire: "expire" } as const;
    const { state, warnings } = await record(inputs, { name: "ci" });
    expect(warnings).toEqual([expect.stringContaining("it gave no expiry, so the token never expires")]);
    expect(() => apiToken.diff("t1", state, inputs, freshPlan())).toThrow('retire cannot be "expire"');
  });
});

describe("the end of a token", () => {
  const notice = (state: ApiTokenState, inputs: ApiTokenInputs) => apiToken.diff("t1", state, inputs, freshPlan());

  test("that has passed is said at every preview, with how to replace it, and not in a refresh", () => {
    const expired = { name: "ci", expiresAt: "2026-11-21T11:59:59Z" };
    expect(notice(expired, expired)).toEqual({
      changes: false,
      replaces: [],
      notice:
        'API token "ci" (id t1) expired on 2026-11-21T11:59:59Z and is of no use: change its expiry, or have it replaced with "pulumi up --replace" and its URN.',
    });
    expect(apiToken.diff("t1", expired, expired, freshPlan({ updating: false })).notice).toBeUndefined();
  });

  test("that nobody knows is said where a rotation needs it", () => {
    const rotation = { expireAfter: "90d", rotateBefore: "14d" };
    expect(notice({ name: "ci", adopted: true }, { name: "ci", rotation }).notice).toContain(
      "is never rotated by time",
    );
    const made = { name: "ci", createdAt: "2026-11-21T12:00:00Z" };
    expect(notice(made, { name: "ci", rotation }).notice).toBeUndefined();
    expect(apiToken.check({}, { name: "ci", rotation: {} }, freshPlan()).failures).toEqual([
      { property: "rotation", reason: "must hold expireAfter and rotateBefore, or triggers" },
    ]);
  });
});

describe("a secret input", () => {
  const secretInputs = ["description"];
  const inputs = { name: "ci", description: " canary-77c1 ", secretInputs };

  test("that the service trims leaves no trace in plain text, and its trimmed form is no drift, but another one is", async () => {
    const { state, found } = await record(inputs, { name: "ci", description: "canary-77c1" });
    expect(JSON.stringify({ ...state, description: "" })).not.toContain("canary");
    expect(state.answeredHashes).toEqual({ description: expect.stringMatching(/^[0-9a-f]{64}$/) });
    expect(found).toEqual({ state, inputs });
    await using service = await startService(json(200, { id: "t1", name: "ci", description: "other" }));
    await using client = connect(service.url);
    const drifted = await apiToken.read(sessionOf(client), "t1", { ...state, baseUrl: service.url });
    expect(drifted?.state).toMatchObject({ description: "other" });
    expect(drifted?.state.answeredHashes).toBeUndefined();
  });

  test("that an earlier version recorded in plain text is hashed by the next update", async () => {
    const state = { name: "ci", description: " canary-77c1 ", answered: { description: "canary-77c1" } };
    expect(apiToken.diff("t1", state, inputs, freshPlan())).toEqual({ changes: true, replaces: [] });
    await using client = connect("http://127.0.0.1:1");
    const next = await apiToken.update(sessionOf(client), "t1", state, inputs);
    expect(JSON.stringify({ ...next, description: "" })).not.toContain("canary");
    expect(apiToken.diff("t1", next, inputs, freshPlan())).toEqual({ changes: false, replaces: [] });
  });

  test("of an annotation is hashed alike", async () => {
    const declared = { datasets: ["web"], type: "deploy", description: " canary-77c1 ", secretInputs };
    const answer = {
      id: "ann_1",
      ...declared,
      secretInputs: undefined,
      description: "canary-77c1",
      time: "2026-11-21T12:00:00Z",
    };
    await using service = await startService(json(201, answer), json(200, answer));
    await using client = connect(service.url, { profile: "extended" });
    const { state } = await annotation.create(sessionOf(client), declared);
    expect(JSON.stringify({ ...state, description: "" })).not.toContain("canary");
    expect(await annotation.read(sessionOf(client), "ann_1", state)).toEqual({ state });
  });

  test("that is the name is shown in no warning and no error", async () => {
    const named = { name: "canary-77c1", secretInputs: ["name"] };
    const { state, warnings } = await record({ ...named, description: "x" }, { name: "canary-77c1" });
    const said = [
      ...warnings,
      apiToken.diff("t1", state, { ...named, description: "y" }, freshPlan()).notice,
      ...(apiToken.check({}, { ...named, autoName: "ci" }, planOf()).warnings ?? []),
    ];
    expect(said).toHaveLength(3);
    expect(said.join()).not.toContain("canary");
    expect(said[2]).toContain('API token "ci"');
  });
});

describe("what a new token records of those it replaced", () => {
  const old: ApiTokenState = { name: "ci", expiresAt: "2027-01-01T00:00:00Z", orgCapabilities: { users: ["read"] } };
  const declared = { name: "ci", description: "new", resourceKey: "a" };
  const replaced = { id: "t0", expiresAt: old.expiresAt, orgCapabilities: old.orgCapabilities };

  async function createAfter(
    diffs: readonly [id: string, state: ApiTokenState, inputs: ApiTokenInputs][],
    inputs: ApiTokenInputs,
  ) {
    await using service = await startService(json(200, { id: "t1", name: "ci", description: "new", token: "xaat-1" }));
    await using client = connect(service.url);
    const session = sessionOf(client);
    for (const [id, state, news] of diffs) apiToken.diff(id, state, news, freshPlan({ ledger: session.ledger }));
    return (await apiToken.create(session, inputs)).state.replaced;
  }

  test("is exactly its own predecessor, with those before that are still valid, newest first", async () => {
    const earlier = { id: "t-1", expiresAt: "2026-12-01T00:00:00Z" };
    const ended = { id: "t-2", expiresAt: "2026-11-01T00:00:00Z" };
    expect(await createAfter([["t0", { ...old, replaced: [earlier, ended] }, declared]], declared)).toEqual([
      replaced,
      earlier,
    ]);
  });

  test("is nothing for another resource of the same name, and nothing where two have the same key", async () => {
    expect(await createAfter([["t0", old, declared]], { ...declared, resourceKey: "b" })).toBeUndefined();
    expect(await createAfter([["t0", old, declared]], { name: "ci", description: "new" })).toBeUndefined();
    const two = [
      ["t0", old, declared],
      ["t9", old, declared],
    ] as const;
    expect(
      await createAfter(
        two.map(([...diff]) => diff),
        declared,
      ),
    ).toBeUndefined();
  });

  test("leaves out what was declared as a secret", async () => {
    const secret = { ...old, secretInputs: ["orgCapabilities"] };
    expect(await createAfter([["t0", secret, declared]], declared)).toEqual([{ id: "t0", expiresAt: old.expiresAt }]);
  });
});

test("an answer with id and secret is recorded whatever else it holds, with one warning that names the rest", async () => {
  const inputs = { name: "ci", description: "text", orgCapabilities: { users: ["read"] } };
  const odd = { name: "ci", description: "text", orgCapabilities: [], expiresAt: 7, datasetCapabilities: "all" };
  const { state, found, warnings } = await record(inputs, odd);
  expect(state).toMatchObject({ ...inputs, token: "xaat-1" });
  expect(state.answered).toBeUndefined();
  expect(warnings).toEqual([
    expect.stringMatching(/could not be read in expiresAt \(.*\), datasetCapabilities \(.*\), orgCapabilities/),
  ]);
  expect(found?.state).toEqual(state);
});

test("null is absent, in every input of every resource, before anything looks at it", () => {
  const news = {
    name: "ci",
    expiresAt: null,
    adopt: null,
    rotation: { triggers: null },
    orgCapabilities: { users: null },
  };
  const plan = freshPlan({ requireExpiry: true });
  const { inputs, failures } = checkInputs(apiToken, { adopt: null }, news, plan);
  expect(inputs).toEqual({ name: "ci", rotation: {}, orgCapabilities: {} });
  expect(failures.map(({ property }) => property)).toEqual(["rotation"]);
  const bare = checkInputs(apiToken, undefined, { name: "ci", expiresAt: null }, plan);
  expect(bare.failures).toEqual([expect.objectContaining({ property: "expiresAt" })]);
  const marked = checkInputs(annotation, undefined, { datasets: ["web"], type: "deploy", triggers: null }, plan);
  expect(marked).toEqual({ inputs: { datasets: ["web"], type: "deploy" }, failures: [] });
  expect(checkInputs(annotation, undefined, { datasets: [null], type: "deploy" }, plan).failures).toHaveLength(1);
});
