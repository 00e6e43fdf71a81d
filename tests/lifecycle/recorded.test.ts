import { describe, expect, test } from "@jest/globals";
import { type Split, split } from "../../framework/record";
import { dropNulls } from "../../framework/rules";
import { Update } from "../../framework/update";
import { annotationDefinition } from "../../provider/annotation/definition";
import { annotation } from "../../provider/annotation/lifecycle";
import { apiTokenDefinition } from "../../provider/apiToken/definition";
import { type ApiTokenInputs, type ApiTokenState, apiToken } from "../../provider/apiToken/lifecycle";
import { connect } from "../support/client";
import { json, startService } from "../support/service";
import { planOf, sessionOf } from "../support/session";
import { startProcess } from "../support/tokenHooks";

const freshPlan = (more: object = {}) => planOf("extended", { update: new Update(), ...more });

const named = { name: "ci", key: "ci" };
const created = { origin: "created" } as const;

/** All of a state that the engine stores as it is. */
const plainText = ({ values, secrets }: Split): string =>
  JSON.stringify(Object.entries(values).filter(([key]) => !secrets.includes(key)));

/** The record of a create, and the state that a read returns, with the same response of the service. */
async function recordWith(inputs: ApiTokenInputs, answer: object) {
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
    const inputs = { ...named, rotation };
    const { state, found, warnings } = await recordWith(inputs, { name: "ci", expiresAt: capped });
    expect(state).toMatchObject({ expiresAt: capped });
    expect(warnings).toEqual([expect.stringContaining("returned other values than declared for expiresAt")]);
    expect(found).toEqual({ state, inputs });
    const at = (text: string) => apiToken.diff("t1", state, inputs, freshPlan({ now: () => new Date(text) }));
    expect(at("2026-12-07T11:59:59Z").changes).toBe(false);
    expect(at("2026-12-07T12:00:00Z").notice).toContain("expires 2026-12-21, inside the 14-day window");
  });

  test.each([
    ["another one", capped, { expiresAt: capped }],
    ["none", undefined, {}],
  ])("is recorded beside the declared one if it is %s, and is no drift", async (_, given, recorded) => {
    const inputs = { ...named, expiresAt: "2030-01-01T00:00:00Z" };
    const { state, found } = await recordWith(inputs, { name: "ci", ...(given ? { expiresAt: given } : {}) });
    const { name, expiresAt, record } = state;
    expect({ name, expiresAt, declared: record.declared }).toEqual({
      ...{ name: "ci", expiresAt: undefined, ...recorded },
      declared: { expiresAt: "2030-01-01T00:00:00Z" },
    });
    expect(found).toEqual({ state, inputs });
    expect(apiToken.diff("t1", state, inputs, freshPlan()).changes).toBe(false);
    const later = { ...inputs, expiresAt: "2031-01-01T00:00:00Z" };
    expect(apiToken.diff("t1", state, later, freshPlan()).replaces).toEqual(["expiresAt"]);
    await using client = connect("http://127.0.0.1:1");
    const updated = await apiToken.update(sessionOf(client), "t1", state, { ...inputs, retire: "revoke" });
    expect(updated).toEqual({ ...state, retire: "revoke" });
  });

  test("if it is none, refuses to leave the token to its expiry", async () => {
    const inputs = { ...named, expiresIn: "90d", retire: "expire" } as const;
    const { state, warnings } = await recordWith(inputs, { name: "ci" });
    expect(warnings).toEqual([expect.stringContaining("it gave no expiry, so the token never expires")]);
    expect(() => apiToken.diff("t1", state, inputs, freshPlan())).toThrow('retire cannot be "expire"');
  });
});

describe("the end of a token", () => {
  const notice = (state: ApiTokenState, inputs: ApiTokenInputs) => apiToken.diff("t1", state, inputs, freshPlan());

  test("that has passed is said at every preview, with how to replace it, and not in a refresh", async () => {
    const expired = { ...named, expiresAt: "2026-11-21T11:59:59Z", record: created };
    expect(notice(expired, expired)).toEqual({
      changes: false,
      replaces: [],
      notice:
        'API token "ci" (id t1) expired on 2026-11-21T11:59:59Z and is of no use: change its expiry, or have it replaced with "pulumi up --replace" and its URN.',
    });
    // The time is the present one in a process of its own.
    const past = { ...expired, expiresAt: "2020-01-01T00:00:00Z" };
    const [refresh, update] = [startProcess(), startProcess()];
    await refresh.diff("t1", past, past);
    expect(refresh.told).toEqual([]);
    const { record: _, ...declared } = past;
    await update.diff("t1", past, await update.check(declared, declared));
    expect(update.told).toEqual([expect.stringContaining("(id t1) expired on 2020-01-01T00:00:00Z")]);
  });

  test("that nobody knows is said where a rotation needs it", () => {
    const rotation = { expireAfter: "90d", rotateBefore: "14d" };
    const adopted: ApiTokenState = { ...named, record: { origin: "adopted" } };
    expect(notice(adopted, { ...named, rotation }).notice).toContain("is never rotated by time");
    const made = { ...named, createdAt: "2026-11-21T12:00:00Z", record: created };
    expect(notice(made, { ...named, rotation }).notice).toBeUndefined();
    expect(apiToken.check({}, { ...named, rotation: {} }, freshPlan()).failures).toEqual([
      { property: "rotation", reason: "must hold expireAfter and rotateBefore, or triggers" },
    ]);
  });
});

describe("a secret input", () => {
  const secretInputs = ["description"];
  const inputs = { ...named, description: " canary-77c1 ", secretInputs };

  test("that the service trims leaves no trace in plain text, and its trimmed form is no drift, but another one is", async () => {
    const { state, found } = await recordWith(inputs, { name: "ci", description: "canary-77c1" });
    expect(plainText(split(apiTokenDefinition, { ...state }))).not.toContain("canary");
    expect(state.record.declared).toEqual({ description: " canary-77c1 " });
    expect(found).toEqual({ state, inputs });
    await using service = await startService(json(200, { id: "t1", name: "ci", description: "other" }));
    await using client = connect(service.url);
    const drifted = await apiToken.read(sessionOf(client), "t1", state);
    expect(drifted?.state).toMatchObject({ description: "other" });
    expect(drifted?.state.record.declared).toBeUndefined();
  });

  test("of an annotation leaves as little", async () => {
    const fields = { datasets: ["web"], type: "deploy" };
    const declared = { ...fields, key: "deployed", description: " canary-77c1 ", secretInputs };
    const given = { description: "canary-77c1", time: "2026-11-21T12:00:00Z" };
    const answer = { id: "ann_1", ...fields, ...given };
    await using service = await startService(json(201, answer), json(200, answer));
    await using client = connect(service.url, { profile: "extended" });
    const { state } = await annotation.create(sessionOf(client), declared);
    expect(plainText(split(annotationDefinition, { ...state }))).not.toContain("canary");
    expect(await annotation.read(sessionOf(client), "ann_1", state)).toEqual({ state });
  });

  test("that is the name is shown in no warning and no error", async () => {
    const hidden = { name: "canary-77c1", key: "ci", secretInputs: ["name"] };
    const { state, warnings } = await recordWith({ ...hidden, description: "x" }, { name: "canary-77c1" });
    const said = [
      ...warnings,
      apiToken.diff("t1", state, { ...hidden, description: "y" }, freshPlan()).notice,
      ...(apiToken.check({}, hidden, planOf()).warnings ?? []),
    ];
    expect(said).toHaveLength(3);
    expect(said.join()).not.toContain("canary");
    expect(said[2]).toContain('API token "ci"');
  });
});

describe("what a new token records of those it replaced", () => {
  const old: ApiTokenState = {
    ...named,
    key: "a",
    expiresAt: "2027-01-01T00:00:00Z",
    orgCapabilities: { users: ["read"] },
    record: created,
  };
  const declared = { name: "ci", description: "new", key: "a" };
  const predecessor = {
    id: "t0",
    fate: "expire",
    origin: "created",
    expiresAt: old.expiresAt,
    orgCapabilities: old.orgCapabilities,
  };

  async function createAfter(
    diffs: readonly (readonly [id: string, state: ApiTokenState, inputs: ApiTokenInputs])[],
    inputs: ApiTokenInputs,
  ) {
    await using service = await startService(json(200, { id: "t1", name: "ci", description: "new", token: "xaat-1" }));
    await using client = connect(service.url);
    const session = sessionOf(client);
    for (const [id, state, news] of diffs)
      apiToken.diff(id, state, news, planOf("documented", { update: session.update }));
    return (await apiToken.create(session, inputs)).state.record.predecessors;
  }

  test("is exactly its own predecessor, with those before that are still valid, newest first", async () => {
    const left = { fate: "expire", origin: "created" } as const;
    const earlier = { id: "t-1", ...left, expiresAt: "2026-12-01T00:00:00Z" };
    const ended = { id: "t-2", ...left, expiresAt: "2026-11-01T00:00:00Z" };
    const third: ApiTokenState = { ...old, record: { ...created, predecessors: [earlier, ended] } };
    expect(await createAfter([["t0", third, declared]], declared)).toEqual([predecessor, earlier]);
  });

  test("is nothing for another resource of the same name, and nothing where two have the same key", async () => {
    expect(await createAfter([["t0", old, declared]], { ...declared, key: "b" })).toBeUndefined();
    expect(await createAfter([["t0", old, declared]], { ...declared, key: "Comp::a" })).toBeUndefined();
    const two = ["t0", "t9"].map((id) => [id, old, declared] as const);
    expect(await createAfter(two, declared)).toBeUndefined();
  });

  test("leaves out what was declared as a secret", async () => {
    const secret = { ...old, secretInputs: ["orgCapabilities"] };
    const { orgCapabilities: _, ...shown } = predecessor;
    const recorded = await createAfter([["t0", secret, declared]], declared);
    expect(recorded).toEqual([{ ...shown, hidden: ["orgCapabilities"] }]);
  });
});

test("an answer with id and secret is recorded whatever else it holds, with one warning that names the rest", async () => {
  const inputs = { ...named, description: "text", orgCapabilities: { users: ["read"] } } satisfies ApiTokenInputs;
  const odd = { name: "ci", description: "text", orgCapabilities: [], expiresAt: 7, datasetCapabilities: "all" };
  const { state, found, warnings } = await recordWith(inputs, odd);
  expect(state).toMatchObject({ ...inputs, token: "xaat-1" });
  expect(state.record.declared).toBeUndefined();
  expect(warnings).toEqual([
    expect.stringMatching(/could not be read in expiresAt \(.*\), datasetCapabilities \(.*\), orgCapabilities/),
  ]);
  expect(found?.state).toEqual(state);
});

test("null is absent, in every input of every resource, before anything looks at it", () => {
  const news = {
    ...named,
    expiresAt: null,
    adopt: null,
    rotation: { triggers: null },
    orgCapabilities: { users: null },
  };
  const plan = freshPlan({ requireExpiry: true });
  const { inputs, failures } = apiToken.check(dropNulls({ adopt: null }), dropNulls(news), plan);
  expect(inputs).toEqual({ ...named, chosenName: true, rotation: {}, orgCapabilities: {} });
  expect(failures.map(({ property }) => property)).toEqual(["rotation"]);
  const bare = apiToken.check(undefined, dropNulls({ ...named, expiresAt: null }), plan);
  expect(bare.failures).toEqual([expect.objectContaining({ property: "expiresAt" })]);
  const marked = { key: "deployed", datasets: ["web"], type: "deploy" };
  const checked = annotation.check(undefined, dropNulls({ ...marked, triggers: null }), plan);
  expect(checked).toEqual({ inputs: marked, failures: [] });
  expect(annotation.check(undefined, dropNulls({ ...marked, datasets: [null] }), plan).failures).toHaveLength(1);
});
