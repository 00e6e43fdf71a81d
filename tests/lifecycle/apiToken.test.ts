import { expect, test } from "@jest/globals";
import { answering, json } from "../support/service";
import { begin, beginScript, token } from "../support/story";

const unchanged = { changes: false, replaces: [] };
const args = {
  description: "for CI",
  expiresAt: "2030-01-01T02:00:00.000+02:00",
  orgCapabilities: { apiTokens: ["read"] },
};

test("a create records every input as declared, the secret and the service; a read then finds no drift", async () => {
  await using it = await begin();
  const { told } = await it.up({ ci: token(args) });
  const state = it.state();
  expect(state).toEqual({
    ...args,
    key: "ci",
    name: expect.stringMatching(/^ci-[0-9a-f]{7}$/),
    token: expect.stringMatching(/^xaat-/),
    evidence: expect.stringMatching(/^[0-9a-z]{6} [0-9a-f]{12}$/),
    record: {},
  });
  expect(it.service.tokens.list()).toMatchObject([{ id: it.id(), expiresAt: "2030-01-01T00:00:00Z" }]);
  expect([(await it.refresh()).found.ci, it.state(), told]).toEqual([unchanged, state, expectedNotice]);
  expect(it.service.calls.map(({ method }) => method)).toEqual(["GET", "POST", "GET"]);
});

const expectedNotice = [expect.stringContaining("expires and is not replaced before that")];

test("a read shows what changed behind our back, keeps the secret, and forgets it again once it is undone", async () => {
  await using it = await begin();
  const id = await it.declare(args);
  const before = it.state();
  const gained = { apiTokens: ["read"], rbac: ["create"] };
  await it.service.tokens.change(id, { orgCapabilities: gained });
  await it.refresh();
  const record = { declared: { orgCapabilities: args.orgCapabilities }, drifted: ["orgCapabilities"] };
  expect(it.state()).toEqual({ ...before, orgCapabilities: gained, record });
  expect(it.stack.find("ci")?.inputs).toMatchObject({ ...args, orgCapabilities: gained });
  expect((await it.preview()).found.ci?.replaces).toEqual(["orgCapabilities"]);
  await it.service.tokens.change(id, { orgCapabilities: args.orgCapabilities });
  await it.refresh();
  expect(it.state()).toEqual(before);
});

test("not found is not believed if the list still has the token", async () => {
  await using it = await begin();
  const id = await it.declare();
  const listed = it.service.tokens.list();
  await it.service.tokens.remove(id);
  for (const _ of ["once", "again"]) it.respond("GET /v2/tokens", 200, [{ ...listed[0], description: "late" }]);
  await expect(it.refresh()).rejects.toThrow("not treated as deleted");
});

test.each([
  ["a clock ahead", { expiresAt: "2026-11-22T00:00:00Z" }, 3_600_000 * 24 * 365, "it has already expired"],
  ["an unreadable member", { description: 7 }, 0, "could not be read: description"],
  ["a clock that differs", {}, 3_600_000, "the clock of this machine says"],
])("a response with %s is recorded with a warning", async (_, more, ahead, warning) => {
  const minted = { id: "t1", name: "ci", token: "xaat-1", expiresAt: "2099-01-01T00:00:00Z", ...more };
  const date = new Date(Date.now() + ahead).toUTCString();
  await using it = await beginScript("documented", json(200, minted, { date }));
  const { told } = await it.up({ ci: token({ name: "ci" }) });
  expect(it.state().token).toBe("xaat-1");
  expect(told.join("\n")).toContain(warning);
  expect(told.filter((words) => words.startsWith("the clock of this machine"))).toHaveLength(ahead === 0 ? 0 : 1);
});

test("a service that refuses a second token of a chosen name: the error says what to do", async () => {
  await using it = await beginScript("documented", json(409, { message: "token exists" }));
  await expect(it.declare({ name: "ci" })).rejects.toThrow(
    "leave out the name, so that each token gets its own, or set the option deleteBeforeReplace",
  );
  expect(it.service.calls).toEqual(["POST /v2/tokens"]);
});

test("other values in the response than declared are reported at creation, and are no drift afterwards", async () => {
  const orgCapabilities = { apiTokens: ["read"], users: ["read"] };
  const shown = { id: "t1", name: "ci", expiresAt: "2031-01-01T00:00:00Z", orgCapabilities };
  await using it = await beginScript(
    "documented",
    answering({ "POST /v2/tokens": { ...shown, token: "xaat-1" }, "GET /v2/tokens": [shown] }),
  );
  const { words } = await it.up({ ci: token({ ...args, name: "ci" }) });
  expect(words).toContain("description, expiresAt, orgCapabilities");
  const state = it.state();
  expect((await it.preview()).found.ci).toEqual(unchanged);
  expect([(await it.refresh()).found.ci, it.state()]).toEqual([unchanged, state]);
});
