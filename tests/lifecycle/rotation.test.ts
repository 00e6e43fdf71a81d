import { describe, expect, test } from "@jest/globals";
import type { ApiTokenInputs, ApiTokenState } from "../../provider/nouns/apiToken/definition";
import { apiToken, hostedApiToken } from "../../provider/nouns/apiToken/lifecycle";
import type { Profile } from "../../sdk";
import { checkWith, planOf } from "../support/host";
import { json } from "../support/service";
import { begin, beginScript, token } from "../support/story";

const rotation = { rotateBefore: "14d" };
const unchanged = { changes: false, replaces: [] };
const at = (text: string) => ({ now: () => new Date(text) });
const failuresOf = (news: object, olds?: object) =>
  checkWith(hostedApiToken, { name: "ci", key: "ci", ...news }, { olds }).failures;

const day = 86_400_000;

describe("an expiry counted from the creation", () => {
  test.each([
    [{ expiresIn: "90d" }, 2160],
    [{ expiresIn: "P90D" }, 2160],
    [{ expiresIn: "36h", rotation: { rotateBefore: "2h" } }, 36],
  ])("%j is resolved once, at creation, and is drift once the live one differs", async (expiry, hours) => {
    await using it = await begin();
    const args = { expiresAt: undefined, ...expiry };
    const created = it.clock.now().getTime();
    const id = await it.declare(args);
    const { expiresAt = "" } = it.state();
    expect(it.state()).toMatchObject(expiry);
    expect(Math.round((Date.parse(expiresAt) - created) / 3_600_000)).toBe(hours);
    expect(it.service.tokens.list()).toMatchObject([{ expiresAt }]);
    expect([(await it.up()).found.ci, (await it.refresh()).found.ci?.changes]).toEqual([unchanged, false]);
    await it.service.tokens.change(id, { expiresAt: "2099-01-01T00:00:00Z" });
    await it.refresh();
    expect(it.state()).toMatchObject({ expiresAt: "2099-01-01T00:00:00Z" });
    // It is not among the inputs that a refresh reports: nobody declared it.
    expect(it.stack.find("ci")?.inputs).not.toHaveProperty("expiresAt");
    expect((await it.preview()).found.ci?.replaces).toEqual(["expiresAt"]);
  });

  test("a service that shortens it, so that each update replaces the token, gets a warning", async () => {
    const expiresAt = new Date(Date.now() + 10 * day).toISOString();
    await using it = await beginScript("documented", json(200, { id: "t1", name: "ci", token: "x", expiresAt }));
    const { words } = await it.up({ ci: token({ name: "ci", expiresAt: undefined, expiresIn: "90d", rotation }) });
    expect(words).toContain("its rotation is due at once");
    expect((await it.preview()).found.ci?.changes).toBe(true);
  });
});

const inputs: ApiTokenInputs = { name: "ci", key: "ci", expiresIn: "90d", rotation };
const state: ApiTokenState = { ...inputs, expiresAt: "2027-02-01T00:00:00Z", record: {} };

describe("a rotation by time", () => {
  test("is due from rotateBefore on before the expiry, and says so", () => {
    const diffAt = (text: string) => apiToken.diff("t1", state, inputs, planOf("documented", at(text)));
    expect(diffAt("2027-01-17T23:59:59Z").changes).toBe(false);
    expect(diffAt("2027-01-18T00:00:00Z")).toMatchObject({
      changes: true,
      replaces: ["rotation"],
      notice:
        'API token "ci" (id t1) will be replaced, which creates a new secret: expires 2027-02-01, inside the 14-day window. The old token stays valid until 2027-02-01T00:00:00Z (the profile "documented" cannot revoke a token).',
    });
  });

  test("a change of its settings is recorded, and replaces nothing", () => {
    const later = { ...inputs, rotation: { rotateBefore: "30d" } };
    const diffAt = (text: string) => apiToken.diff("t1", state, later, planOf("documented", at(text)));
    expect(diffAt("2027-01-01T00:00:00Z")).toMatchObject({ changes: true, replaces: [] });
    expect(diffAt("2027-01-02T00:00:00Z").replaces).toEqual(["rotation"]);
  });
});

test("a changed trigger replaces the token and is named, but not if it is or was secret; their order is ignored", () => {
  const with2 = { ...state, rotation: { ...rotation, triggers: { release: "1", team: "a" } } };
  const declare = (triggers: Record<string, string>) => ({ ...inputs, rotation: { ...rotation, triggers } });
  expect(apiToken.diff("t1", with2, declare({ team: "a", release: "1" }), planOf()).changes).toBe(false);
  const declared = declare({ team: "a", release: "2" });
  const hidden = { secretInputs: ["rotation"] };
  for (const [before, present, named] of [
    [with2, declared, "rotation.triggers.release changed."],
    [{ ...with2, ...hidden }, declared, "rotation.triggers changed."],
    [with2, { ...declared, ...hidden }, "rotation.triggers changed."],
  ] as const)
    expect(apiToken.diff("t1", before, present, planOf())).toMatchObject({
      replaces: ["rotation"],
      notice: expect.stringContaining(`a new secret: ${named}`),
    });
});

test("another lifetime replaces the token, another spelling of it does not", () => {
  const named = { name: "ci", key: "ci" };
  const counted = { ...named, expiresIn: "90d", expiresAt: "2027-02-01T00:00:00Z", record: {} };
  const diff = (declared: Partial<ApiTokenInputs>) => apiToken.diff("t1", counted, { ...named, ...declared }, planOf());
  expect(diff({ expiresIn: "P90D" }).changes).toBe(false);
  expect(diff({ expiresIn: "2160h" }).changes).toBe(false);
  expect(diff({ expiresIn: "30d" }).replaces).toEqual(["expiresIn"]);
  expect(diff({ expiresAt: "2027-02-01T00:00:00Z" }).replaces).toEqual(["expiresIn"]);
  expect(diff({}).replaces).toEqual(["expiresAt", "expiresIn"]);
});

describe("impossible settings fail", () => {
  test.each<[Record<string, unknown>, RegExp]>([
    [{ expiresAt: "2027-01-01T00:00:00Z", expiresIn: "90d" }, /^expiresIn cannot be set together with expiresAt/],
    [{ expiresIn: "14d", rotation: { rotateBefore: "14d" } }, /^rotation\.rotateBefore must be shorter/],
    [{ expiresIn: "P1M", rotation: { rotateBefore: "32d" } }, /^rotation\.rotateBefore must be shorter/],
    [{ rotation: { rotateBefore: "14d" } }, /^expiresIn is missing: rotation\.rotateBefore needs it/],
    [{ rotation: {} }, /^rotation must have rotateBefore, overlap or triggers/],
    [{ rotation: { rotateBefor: "14d" } }, /^rotation\.rotateBefor is not known; did you mean "rotateBefore"\?/],
    [{ rotation: "90d" }, /^rotation must be an object/],
    [{ expiresIn: "0d" }, /^expiresIn must be a duration/],
    [{ expiresAt: "2026-11-21T12:00:00Z" }, /^expiresAt is in the past/],
    [{ retire: "revoke" }, /^retire must be "expire"/],
    [{ retire: "keep" }, /^retire must be one of revoke, expire/],
    [{ retire: "expire" }, /^retire cannot be "expire" for a token that has no expiry/],
  ])("%j", (news, message) => {
    expect(failuresOf(news)).toEqual([expect.stringMatching(message)]);
  });

  test("but an expiry that has passed since the token was created stays", () => {
    expect(failuresOf({ expiresAt: "2020-01-01T00:00:00Z" }, { expiresAt: "2020-01-01T00:00:00.0Z" })).toEqual([]);
  });
});

test("a token without an expiry is a warning where it cannot be revoked, and an error if the settings ask for one", () => {
  const check = (profile: Profile, requireExpiry: boolean) => {
    const { failures, warnings } = checkWith(hostedApiToken, { name: "ci", key: "ci" }, { profile, requireExpiry });
    return { failures, warnings };
  };
  expect(check("documented", false)).toEqual({
    failures: [],
    warnings: [expect.stringContaining('"ci" never expires')],
  });
  expect(check("documented", true)).toEqual({ failures: [expect.stringContaining("requireExpiry")], warnings: [] });
  expect(check("extended", false)).toEqual({ failures: [], warnings: [] });
});
