import { expect, test } from "@jest/globals";
import { checkInputs } from "../../provider/lifecycle/check";
import { Ledger } from "../../provider/lifecycle/ledger";
import { type ApiTokenInputs, type ApiTokenState, apiToken } from "../../provider/lifecycle/token/apiToken";
import { derivedSecrets } from "../../provider/lifecycle/token/secrecy";
import { connect } from "../support/client";
import { json, startService } from "../support/service";
import { planOf, sessionOf } from "../support/session";

const ways: readonly (readonly [string, Partial<ApiTokenInputs>])[] = [
  ["expiresAt", { expiresAt: "2027-02-19T12:00:00Z" }],
  ["expiresIn", { expiresIn: "90d" }],
  ["rotation.expireAfter", { rotation: { expireAfter: "90d", rotateBefore: "14d" } }],
];

const end = "2027-02-19T12:00:00Z";

const checked = (inputs: object) =>
  checkInputs(apiToken, undefined, { name: "ci", ...inputs }, planOf("documented")).inputs as ApiTokenInputs;

test.each(ways)(
  "an end that can be told from a secret %s is secret, and so is all that is derived from it",
  (key, way) => {
    const { secretInputs } = checked({ ...way, secretInputs: [key] });
    expect(secretInputs).toContain("expiresAt");
    expect(derivedSecrets({ secretInputs: [key] })).toEqual(expect.arrayContaining(["expiresAt", "resolvedExpiresAt"]));
  },
);

test("secret triggers hide nothing of the end", () => {
  expect(checked({ ...ways[2]?.[1], secretInputs: ["rotation"] }).secretInputs).toEqual(["rotation"]);
  expect(derivedSecrets({ secretInputs: ["rotation", "description"] })).toEqual([]);
});

test("a secret window hides when the rotation is due, and not the end", () => {
  const secretInputs = ["rotation", "rotation.rotateBefore"];
  expect(checked({ ...ways[2]?.[1], secretInputs }).secretInputs).toEqual(secretInputs);
  expect(derivedSecrets({ secretInputs })).toEqual(["rotatesAt"]);
  const state = { name: "ci", ...ways[2]?.[1], expiresAt: end, resolvedExpiresAt: end, secretInputs: ["rotation"] };
  const inputs = checked({ ...ways[2]?.[1], secretInputs });
  expect(apiToken.diff("t1", state, inputs, planOf())).toMatchObject({ changes: true, replaces: [] });
  expect(apiToken.diff("t1", { ...state, secretInputs }, inputs, planOf()).changes).toBe(false);
});

test.each(ways)("nothing that is said of a token tells the end that a secret %s gives it", async (key, way) => {
  const minted = { id: "t1", name: "ci", expiresAt: "2027-02-19T12:00:00Z" };
  await using service = await startService(json(200, { ...minted, token: "xaat-1" }));
  await using client = connect(service.url);
  const session = sessionOf(client);
  const inputs = checked({ ...way, secretInputs: [key] });
  const { id, state } = await apiToken.create(session, inputs);

  const late = { now: () => new Date("2027-02-10T12:00:00Z"), ledger: new Ledger() };
  const expired = { now: () => new Date("2027-03-01T12:00:00Z"), ledger: new Ledger() };
  const notices = [late, expired].map((more) => apiToken.diff(id, state, inputs, planOf("documented", more)).notice);
  await apiToken.delete(session, id, state);
  expect(session.warnings).toEqual([expect.stringContaining("stays valid until its expiry, which is secret")]);
  expect([...notices, ...session.warnings].join("\n")).not.toMatch(/2027|90|14-day/);
  expect(notices.some((notice) => notice !== undefined)).toBe(true);
});

test("what was replaced is recorded without the secret end that it had, also by a state of an earlier version", async () => {
  await using service = await startService(json(200, { id: "t2", name: "ci", token: "xaat-2" }));
  await using client = connect(service.url);
  const session = sessionOf(client);
  const state: ApiTokenState = {
    ...{ name: "ci", expiresIn: "90d", secretInputs: ["expiresIn"], resourceKey: "r" },
    ...{ expiresAt: "2027-02-19T12:00:00Z", resolvedExpiresAt: "2027-02-19T12:00:00Z", token: "xaat-1" },
  };
  session.ledger.noteReplacement("r", { id: "t1", state: { ...state, replaced: [{ id: "t0", expiresAt: end }] } });
  const next = await apiToken.create(session, checked({ resourceKey: "r" }));
  expect(next.state.replaced).toEqual([{ id: "t1" }, { id: "t0" }]);
});

test("what is replaced the moment its length is named as secret keeps no end: the state does not tell what was", async () => {
  await using service = await startService(json(200, { id: "t2", name: "ci", expiresAt: end, token: "xaat-2" }));
  await using client = connect(service.url);
  const session = sessionOf(client);
  const rotation = ways[2]?.[1];
  const state: ApiTokenState = { name: "ci", ...rotation, secretInputs: ["rotation"], expiresAt: end };
  session.ledger.noteReplacement("r", { id: "t1", state });
  const secretInputs = ["rotation", "rotation.expireAfter"];
  const next = await apiToken.create(session, checked({ ...rotation, resourceKey: "r", secretInputs }));
  expect(next.state.replaced).toEqual([{ id: "t1" }]);
});

test("a refresh and an update drop the ends of replaced tokens that an earlier version recorded in plain text", async () => {
  const declared = { name: "ci", expiresIn: "90d", secretInputs: ["expiresIn"] };
  await using service = await startService(json(200, { id: "t1", name: "ci", expiresAt: end }));
  await using client = connect(service.url);
  const replaced = [{ id: "t0", expiresAt: end, orgCapabilities: { users: ["read" as const] } }];
  const state: ApiTokenState = { ...declared, expiresAt: end, resolvedExpiresAt: end, replaced };
  const kept = [{ id: "t0", orgCapabilities: { users: ["read"] } }];
  expect((await apiToken.read(sessionOf(client), "t1", state))?.state.replaced).toEqual(kept);
  const updated = await apiToken.update(sessionOf(client), "t1", state, checked(declared));
  expect(updated.replaced).toEqual(kept);
  const open: ApiTokenState = { ...state, secretInputs: [] };
  expect((await apiToken.read(sessionOf(client), "t1", open))?.state.replaced).toEqual(replaced);
});

test("a state of an earlier version, which has the end in plain text, is written anew and not replaced", async () => {
  const declared = { name: "ci", expiresIn: "90d", secretInputs: ["expiresIn"] };
  const state = { ...declared, expiresAt: end, resolvedExpiresAt: end, createdAt: "2026-11-21T12:00:00.000Z" };
  const inputs = checked(declared);
  const plan = () => planOf("documented", { ledger: new Ledger() });
  expect(apiToken.diff("t1", state, inputs, plan())).toMatchObject({ changes: true, replaces: [] });
  await using client = connect("http://127.0.0.1:1");
  const next = await apiToken.update(sessionOf(client), "t1", state, inputs);
  expect(next).toEqual({ ...state, secretInputs: ["expiresAt", "expiresIn"] });
  expect(apiToken.diff("t1", next, inputs, plan()).changes).toBe(false);
});

test("while adopt is there, too, such a state is written anew", async () => {
  const declared = { name: "ci", expiresIn: "90d", adopt: { id: "t1" }, secretInputs: ["expiresIn"] };
  const state: ApiTokenState = { ...declared, adopted: true, expiresAt: end, resolvedExpiresAt: end };
  const inputs = checked(declared);
  const plan = () => planOf("documented", { ledger: new Ledger() });
  expect(apiToken.diff("t1", state, inputs, plan())).toMatchObject({ changes: true, replaces: [] });
  await using client = connect("http://127.0.0.1:1");
  const next = await apiToken.update(sessionOf(client), "t1", state, inputs);
  expect(apiToken.diff("t1", next, inputs, plan()).changes).toBe(false);
  const answered = {
    ...next,
    answered: { description: "canary" },
    secretInputs: [...(next.secretInputs ?? []), "description"],
  };
  const hidden = { ...inputs, secretInputs: answered.secretInputs };
  expect(apiToken.diff("t1", answered, hidden, plan()).changes).toBe(true);
});

test.each([["expiresIn"], ["rotation"]])(
  "the day of an end that a secret %s gave is not told once the program is plain",
  (key) => {
    const state: ApiTokenState = {
      name: "ci",
      ...ways[2]?.[1],
      expiresAt: end,
      resolvedExpiresAt: end,
      secretInputs: [key],
    };
    const late = planOf("documented", { now: () => new Date("2027-02-10T12:00:00Z") });
    expect(apiToken.diff("t1", state, checked({ ...ways[2]?.[1] }), late)).toMatchObject({
      replaces: ["rotation"],
      notice: 'API token "ci" (id t1) will be replaced, which makes a new secret: its rotation is due.',
    });
  },
);
