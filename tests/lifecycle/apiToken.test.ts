import { expect, test } from "@jest/globals";
import type { ApiTokenInputs, ApiTokenState } from "../../provider/nouns/apiToken/definition";
import { apiToken } from "../../provider/nouns/apiToken/lifecycle";
import { json } from "../support/service";
import { beginScript, planOf } from "../support/session";
import { beginSession } from "./tokenWorld";

const inputs = {
  name: "ci-0a1b2c3",
  key: "ci",
  description: "for CI",
  expiresAt: "2030-01-01T02:00:00.000+02:00",
  orgCapabilities: { apiTokens: ["read"] },
} satisfies ApiTokenInputs;

test("a create records every input as declared, the secret and the service; a read then finds no drift", async () => {
  await using it = await beginSession();
  const { id, state } = await apiToken.create(it.session, inputs);
  expect(state).toEqual({
    ...inputs,
    token: expect.stringMatching(/^xaat-/),
    evidence: expect.stringMatching(`^[0-9a-z]{6} ${it.session.account.credential}$`),
    record: {},
  });
  expect(it.service.tokens.list()[0]).toMatchObject({ id, expiresAt: "2030-01-01T00:00:00Z" });
  // Without inputs: the recorded ones stay.
  expect(await apiToken.read(it.session, id, state)).toEqual({ state });
  expect(it.session.warnings).toEqual([]);
  expect(it.calls()).toEqual(["POST /v2/tokens 200", "GET /v2/tokens 200"]);
});

test("a read shows what changed behind our back, keeps the secret, and forgets it again once it is undone", async () => {
  await using it = await beginSession();
  const { id, state } = await apiToken.create(it.session, inputs);
  const gained = { apiTokens: ["read"], rbac: ["create"] };
  await it.service.tokens.change(id, { orgCapabilities: gained });
  const drifted = await apiToken.read(it.session, id, state);
  expect(drifted).toEqual({
    state: {
      ...state,
      orgCapabilities: gained,
      record: { ...state.record, declared: { orgCapabilities: inputs.orgCapabilities }, drifted: ["orgCapabilities"] },
    },
    inputs: { ...inputs, orgCapabilities: gained },
  });
  expect(apiToken.diff("t1", drifted?.state ?? state, inputs, planOf()).replaces).toEqual(["orgCapabilities"]);
  await it.service.tokens.change(id, { orgCapabilities: inputs.orgCapabilities });
  it.session.pass(10_000);
  expect(await apiToken.read(it.session, id, drifted?.state ?? state)).toEqual({ state, inputs });
});

test("not found is not believed if the list still has the token", async () => {
  const [listed, missing] = [json(200, [{ id: "t1", name: "ci" }]), json(404, { message: "not found" })];
  await using it = await beginScript("documented", listed, missing, listed);
  const state: ApiTokenState = { ...inputs, evidence: "0a0a0a0a0a0a", record: {} };
  await expect(apiToken.read(it.session, "t1", state)).rejects.toThrow("not treated as deleted");
});

test.each<[string, { readonly expiresAt?: string; readonly description?: number }, string, string]>([
  ["a clock ahead", { expiresAt: "2026-11-22T00:00:00Z" }, "Mon, 23 Nov 2026 12:00:00 GMT", "it has expired already"],
  ["an unreadable member", { description: 7 }, new Date().toUTCString(), "could not be read in description"],
  ["a clock that differs", {}, "Mon, 23 Nov 2026 12:00:00 GMT", "of this machine says 2026-11-21T12:00:00Z, that of"],
])("a response with %s is recorded with a warning", async (_, more, date, warning) => {
  await using it = await beginScript(
    "documented",
    json(200, { id: "t1", name: "ci", token: "xaat-1", ...more }, { date }),
  );
  const { expiresAt = "2099-01-01T00:00:00Z" } = more;
  expect((await apiToken.create(it.session, { name: "ci", key: "ci", expiresAt })).state.token).toBe("xaat-1");
  expect(it.session.warnings.join("\n")).toContain(warning);
  // Both clocks are named, once in a process.
  const clocks = it.session.warnings.filter((words) => words.startsWith("the clock of this machine"));
  expect(clocks).toHaveLength(date.startsWith("Mon") ? 1 : 0);
});

test("a service that refuses a second token of a chosen name: the error says what to do", async () => {
  await using it = await beginScript("documented", json(409, { message: "token exists" }));
  await expect(apiToken.create(it.session, { name: "ci", chosenName: true, key: "ci" })).rejects.toThrow(
    "leave the name out, so that each token gets its own, or set the option deleteBeforeReplace",
  );
  expect(it.service.calls).toEqual(["POST /v2/tokens"]);
});

test("other values in the response than declared are reported at creation, and are no drift afterwards", async () => {
  const answer = {
    id: "t1",
    name: "ci",
    expiresAt: "2031-01-01T00:00:00Z",
    orgCapabilities: { apiTokens: ["read"], users: ["read"] },
  };
  const declared = { ...inputs, name: "ci", description: "dropped by the service" };
  await using it = await beginScript("documented", json(200, { ...answer, token: "xaat-1" }), json(200, [answer]));
  const { id, state } = await apiToken.create(it.session, declared);
  expect(it.session.warnings).toEqual([expect.stringContaining("description, expiresAt, orgCapabilities")]);
  expect(apiToken.diff("t1", state, declared, planOf()).changes).toBe(false);
  expect(await apiToken.read(it.session, id, state)).toEqual({ state });
});
