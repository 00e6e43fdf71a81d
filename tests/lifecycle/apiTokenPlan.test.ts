import { describe, expect, test } from "@jest/globals";
import { checkInputs } from "../../framework/hooks";
import type { ApiTokenInputs, ApiTokenState } from "../../provider/nouns/apiToken/definition";
import { apiToken, hostedApiToken } from "../../provider/nouns/apiToken/lifecycle";
import { connect } from "../support/client";
import { planOf, sessionOf } from "../support/host";

const check = (news: Record<string, unknown>, olds?: Record<string, unknown>) =>
  checkInputs(hostedApiToken, olds, news, planOf());

describe("check", () => {
  test("makes a name from the logical name and a random suffix, another one each time", () => {
    const names = [1, 2].map(() => check({ key: "ci" }).inputs.name);
    expect(names[0]).toMatch(/^ci-[0-9a-f]{7}$/);
    expect(names[0]).not.toBe(names[1]);
  });

  test("keeps a generated name from one update to the next, but not a chosen one that is no longer declared", () => {
    const olds = { name: "ci-0123456", key: "ci" };
    expect(check({ key: "renamed" }, olds).inputs).toEqual({ name: "ci-0123456", key: "renamed" });
    expect(check({ key: "ci" }, { name: "mine", chosenName: true }).inputs.name).toMatch(/^ci-/);
  });

  test("takes the user's name and remembers that it was chosen, so that it proves nothing", () => {
    expect(check({ name: "mine", key: "ci" }, { name: "ci-0123456", key: "ci" }).inputs).toEqual({
      name: "mine",
      chosenName: true,
      key: "ci",
    });
  });

  test("reports every unusable input with its property, and quotes no value: inputs can be secret", () => {
    const { failures } = check({
      key: "ci",
      name: "",
      description: 7,
      expiresAt: "hunter2",
      datasetCapabilities: ["web"],
      orgCapabilities: { apiTokens: "hunter2", users: ["read"], rbac: [""] },
      expires: "2027-01-01T00:00:00Z",
    });
    expect(failures.map(({ property }) => property)).toEqual([
      ...["name", "description", "expiresAt", "datasetCapabilities"],
      ...["orgCapabilities.apiTokens", "orgCapabilities.rbac", "expires"],
    ]);
    expect(JSON.stringify(failures)).not.toContain("hunter2");
    expect(failures.find((f) => f.property === "expires")?.reason).toContain('is not known; did you mean "expiresAt"?');
  });

  test.each<[object, string]>([
    [{ expiresAt: "2001-02-03T00:00:00Z" }, "2001"],
    [{ expiresIn: "37d", rotation: { rotateBefore: "41d" } }, "37d"],
    [{ expiresIn: "37d", rotation: { rotateBefore: "41d" } }, "41d"],
    [{ expiresIn: "hunter2" }, "hunter2"],
    [{ expiresAt: "2999-02-03T00:00:00Z", expiresIn: "37d" }, "2999"],
    [{ expiresIn: "37d", rotation: { overlap: "hunter2" } }, "hunter2"],
    [{ retire: "hunter2" }, "hunter2"],
    [{ sealFor: "hunter2" }, "hunter2"],
    [{ adopt: { id: "hunter2", token: "hunter2" }, sealFor: "age1hunter2" }, "hunter2"],
    [{ rotation: { hunter2: "1d" }, secretInputs: ["rotation"] }, "hunter2"],
  ])("refuses %j, and does not quote %s", (news, value) => {
    const { failures } = check({ key: "ci", ...news });
    expect(failures).not.toEqual([]);
    expect(JSON.stringify(failures)).not.toContain(value);
  });
});

const spec: ApiTokenInputs = {
  name: "ci",
  key: "ci",
  description: "for CI",
  expiresAt: "2027-01-01T00:00:00Z",
  datasetCapabilities: { web: { ingest: ["create"], query: ["read"] }, deploys: { query: ["read"] } },
  orgCapabilities: { apiTokens: ["create", "read"], annotations: ["create"] },
};
const recorded: ApiTokenState = { ...spec, token: "xaat-1", record: {} };
const none = { changes: false, replaces: [] };

describe("diff", () => {
  test("records another key in place", () => {
    const moved = { ...spec, key: "pkg:Comp::ci" };
    expect(apiToken.diff("t1", recorded, moved, planOf())).toMatchObject({ changes: true, replaces: [] });
  });

  test.each<[string, Partial<ApiTokenInputs>, Partial<ApiTokenInputs>]>([
    ["description", { description: "x " }, { description: "x" }],
    ["description", { description: "" }, { description: "x" }],
    ["expiresAt", { expiresAt: "2027-01-01T00:00:00Z" }, { expiresAt: "2026-12-24T00:00:00Z" }],
    ["orgCapabilities", { orgCapabilities: { users: ["read"] } }, { orgCapabilities: { users: ["read", "create"] } }],
  ])(
    "records a declared %s in place that is now the one that the service has given",
    async (field, declared, given) => {
      const { [field]: _, ...others } = { ...spec } as Record<string, unknown>;
      const state = { ...others, ...given, record: { ...recorded.record, declared } } as ApiTokenState;
      const inputs = { ...others, ...given } as unknown as ApiTokenInputs;
      expect(apiToken.diff("t1", state, inputs, planOf())).toMatchObject({ changes: true, replaces: [] });
      await using client = connect("http://127.0.0.1:1");
      const next = await apiToken.update(sessionOf(client), "t1", state, inputs);
      expect(next).toMatchObject({ ...inputs, evidence: expect.any(String) });
      expect(next.record).not.toHaveProperty("declared");
      expect(apiToken.diff("t1", next, inputs, planOf())).toMatchObject(none);
      const other = { ...inputs, description: "another" };
      expect(apiToken.diff("t1", state, other, planOf()).replaces).toEqual(["description"]);
    },
  );

  test("sees a change, which replaces the token, and says what becomes of the old one", () => {
    const { replaces, notice } = apiToken.diff("t1", recorded, { ...spec, description: "For CI" }, planOf());
    expect(replaces).toEqual(["description"]);
    expect(notice).toContain(
      'API token "ci" (id t1) will be replaced, which creates a new secret: description changed. The old token stays valid until 2027-01-01T00:00:00Z (',
    );
  });

  test("an absent field and an empty one are the same", () => {
    const bare = { name: "ci", key: "ci" };
    const empty = { ...bare, description: "", orgCapabilities: {}, datasetCapabilities: {} };
    expect(apiToken.diff("t1", { ...bare, record: {} }, empty, planOf())).toMatchObject(none);
  });
});
