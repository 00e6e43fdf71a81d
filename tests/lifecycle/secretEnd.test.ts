import { expect, test } from "@jest/globals";
import { split } from "../../framework/record";
import { apiTokenDefinition } from "../../provider/apiToken/definition";
import { type ApiTokenInputs, type ApiTokenState, apiToken } from "../../provider/apiToken/lifecycle";
import type { Predecessor } from "../../provider/apiToken/model";
import { connect } from "../support/client";
import { json, startService } from "../support/service";
import { planOf, sessionOf } from "../support/session";
import { startProcess } from "../support/tokenHooks";

const ways: readonly (readonly [string, Partial<ApiTokenInputs>])[] = [
  ["expiresAt", { expiresAt: "2027-02-19T12:00:00Z" }],
  ["expiresIn", { expiresIn: "90d" }],
  ["rotation.expireAfter", { rotation: { expireAfter: "90d", rotateBefore: "14d" } }],
];

const end = "2027-02-19T12:00:00Z";
const created = { origin: "created" } as const;
const left = { fate: "expire", origin: "created" } as const;

const check = (inputs: object) =>
  apiToken.check(undefined, { name: "ci", key: "ci", ...inputs }, planOf("documented")).inputs;

/** The names of the properties of a state that the engine encrypts. */
function secretsOf(more: object): readonly string[] {
  const record = { ...created, declared: { expiresAt: end } };
  const state = { name: "ci", key: "ci", expiresAt: end, rotatesAt: end, record };
  return split(apiTokenDefinition, { ...state, ...more }).secrets;
}

/** The hooks of tokens in an update with these inputs. */
async function beginUpdate(inputs: ApiTokenInputs) {
  const { check, diff, update } = startProcess();
  await check(inputs, inputs);
  return {
    diff: (state: object) => diff("t1", state, inputs),
    update: (state: object) => update("t1", state, inputs),
  };
}

test.each(ways)(
  "an end that can be told from a secret %s is secret, and so is all that is derived from it",
  (key, way) => {
    const secrets = secretsOf({ ...way, secretInputs: [key] });
    expect(secrets).toEqual(expect.arrayContaining(["expiresAt", "rotatesAt", "secretRecord"]));
  },
);

test("secret triggers hide nothing of the end", () => {
  expect(check({ ...ways[2]?.[1], secretInputs: ["rotation"] }).secretInputs).toEqual(["rotation"]);
  const secrets = secretsOf({ ...ways[2]?.[1], secretInputs: ["rotation"] });
  expect(secrets).toEqual(["rotation"]);
});

test("a secret window hides when the rotation is due, and not the end", async () => {
  const secretInputs = ["rotation", "rotation.rotateBefore"];
  expect(check({ ...ways[2]?.[1], secretInputs }).secretInputs).toEqual(secretInputs);
  expect(secretsOf({ ...ways[2]?.[1], secretInputs })).toEqual(["rotatesAt", "rotation"]);
  const state = { ...check({ ...ways[2]?.[1] }), expiresAt: end, record: created };
  const { diff } = await beginUpdate(check({ ...ways[2]?.[1], secretInputs }));
  expect(await diff({ ...state, secretInputs: ["rotation"] })).toMatchObject({ changes: true, replaces: [] });
  expect((await diff({ ...state, secretInputs })).changes).toBe(false);
});

test.each(ways)("nothing that is said of a token tells the end that a secret %s gives it", async (key, way) => {
  const minted = { id: "t1", name: "ci", expiresAt: "2027-02-19T12:00:00Z" };
  await using service = await startService(json(200, { ...minted, token: "xaat-1" }));
  await using client = connect(service.url);
  const session = sessionOf(client);
  const inputs = check({ ...way, secretInputs: [key] });
  const { id, state } = await apiToken.create(session, inputs);

  const late = { now: () => new Date("2027-02-10T12:00:00Z") };
  const expired = { now: () => new Date("2027-03-01T12:00:00Z") };
  const notices = [late, expired].map((more) => apiToken.diff(id, state, inputs, planOf("documented", more)).notice);
  const changed = { ...inputs, description: "new" };
  notices.push(apiToken.diff(id, state, changed, planOf()).notice);
  const { secretInputs: _, ...open } = state;
  notices.push(apiToken.diff(id, open, changed, planOf()).notice);
  await apiToken.delete(session, id, state);
  expect(session.warnings).toEqual([expect.stringContaining("stays valid until its expiry, which is secret")]);
  expect([...notices, ...session.warnings].join("\n")).not.toMatch(/2027|90|14-day/);
  expect(notices.filter((notice) => notice !== undefined).length).toBeGreaterThan(2);
});

/** The record of a predecessor in its successor. */
async function replaceOne(state: ApiTokenState, inputs: ApiTokenInputs) {
  await using service = await startService(json(200, { id: "t2", name: "ci", token: "xaat-2" }));
  await using client = connect(service.url);
  const session = sessionOf(client);
  session.update.replace("ci", { id: "t1", state });
  return (await apiToken.create(session, inputs)).state.record.predecessors;
}

test("a predecessor is recorded without the secret end that it had", async () => {
  const named = { name: "ci", key: "ci", expiresIn: "90d", secretInputs: ["expiresIn"] };
  const earlier: Predecessor = { id: "t0", ...left, hidden: ["expiresAt"] };
  const record = { ...created, predecessors: [earlier] };
  const state: ApiTokenState = { ...named, expiresAt: end, token: "xaat-1", record };
  const predecessors = await replaceOne(state, check({}));
  expect(predecessors).toEqual([{ id: "t1", ...left, hidden: ["expiresAt"] }, earlier]);
});

test("a predecessor keeps no end if its length is a secret from the replacement on, nor do those before it", async () => {
  const rotation = ways[2]?.[1];
  const earlier: Predecessor = { id: "t0", ...left, expiresAt: end, orgCapabilities: { users: ["read"] } };
  const record = { ...created, predecessors: [earlier] };
  const state: ApiTokenState = { name: "ci", key: "ci", ...rotation, expiresAt: end, record };
  const secretInputs = ["rotation", "rotation.expireAfter"];
  expect(await replaceOne(state, check({ ...rotation, secretInputs }))).toEqual([
    { id: "t1", ...left, hidden: ["expiresAt"] },
    { id: "t0", ...left, orgCapabilities: { users: ["read"] }, hidden: ["expiresAt"] },
  ]);
});

test.each([[{}], [{ adopt: { id: "t1" } }]])(
  "an end that becomes secret (%j) is recorded anew in place, and taken from the predecessors",
  async (adopt) => {
    const open = { name: "ci", key: "ci", chosenName: true, expiresIn: "90d", ...adopt } as const;
    const predecessors = [{ id: "t0", ...left, expiresAt: end, orgCapabilities: { users: ["read"] } }];
    const state = { ...open, expiresAt: end, token: "xaat-1", record: { ...created, predecessors } };
    const inputs = { ...open, secretInputs: ["expiresIn"] };
    const { diff, update } = await beginUpdate(inputs);
    expect(await diff(state)).toMatchObject({ changes: true, replaces: [] });
    const next = await update(state);
    const { expiresAt: _, ...shown } = { ...predecessors[0], hidden: ["expiresAt"] };
    expect(next).toEqual({ ...state, ...inputs, record: { ...created, predecessors: [shown] } });
    const again = await (await beginUpdate(inputs)).diff(next);
    expect(again.changes).toBe(false);
  },
);

test("while adopt is there, an input that becomes secret is recorded anew", async () => {
  const open = { name: "ci", key: "ci", chosenName: true, description: "text", adopt: { id: "t1" } } as const;
  const record = { origin: "adopted", declared: { description: "canary" } } as const;
  const { diff } = await beginUpdate({ ...open, secretInputs: ["description"] });
  expect(await diff({ ...open, record })).toMatchObject({ changes: true, replaces: [] });
});

test.each([[["expiresIn"]], [["rotation", "rotation.expireAfter"]]])(
  "the day of an end that secret %j gave is not told once the program is plain",
  (secretInputs) => {
    const state: ApiTokenState = {
      ...{ name: "ci", key: "ci", ...ways[2]?.[1], expiresAt: end },
      ...{ secretInputs, record: created },
    };
    const late = planOf("documented", { now: () => new Date("2027-02-10T12:00:00Z") });
    expect(apiToken.diff("t1", state, check({ ...ways[2]?.[1] }), late)).toMatchObject({
      replaces: ["rotation"],
      notice:
        'API token "ci" (id t1) will be replaced, which creates a new secret: its rotation is due. The old token stays valid until its expiry, which is secret.',
    });
  },
);
