import { describe, expect, test } from "@jest/globals";
import { auditTokens, readState } from "../../audit";
import { type ApiTokenState, liveToken } from "../../provider/nouns/apiToken/definition";
import { auditsAbout, expiresAt, now, rulesOf } from "../support/audits";
import { baseUrl, credential, encrypted, exportOf, stackOf } from "../support/states";

const audit = auditsAbout(
  "missing",
  "escalated",
  "changed",
  "expiry",
  "orphaned",
  "hidden-capabilities",
  "hidden-expiry",
);

test("a live token whose deletion did not succeed is an error with its age, not clean", () => {
  const live = [{ id: "old", name: "ci", expiresAt }];
  const judge = (created?: string) => {
    const state = exportOf({
      tokens: [
        { id: "old", name: "ci", inputs: { expiresAt }, more: { delete: true } },
        { id: "new", name: "ci", inputs: { expiresAt }, more: { created } },
      ],
    });
    const stacks = [readState(JSON.parse(JSON.stringify(state)), "prod")];
    return audit([...live, { id: "new", name: "ci", expiresAt }], {}, { stacks });
  };

  const { findings, failed } = judge("2026-11-18T11:00:00Z");
  expect(findings).toMatchObject([{ rule: "orphaned", severity: "error", token: { id: "old" } }]);
  expect(findings[0]?.message).toContain("was replaced 3 days ago, but its deletion did not succeed");
  expect(failed).toBe(true);
  expect(judge("2026-11-21T11:00:00Z").findings[0]?.message).toContain("less than a day ago");
  expect(judge().findings[0]?.message).toContain("was replaced, but its deletion did not succeed");
});

test("a declared token whose expiry was moved into the past is as severe as a revoked one, and is one finding", () => {
  const past = "2026-11-01T00:00:00Z";
  const declaredUntil = (end: unknown) =>
    audit([{ id: "t1", name: "ci", expiresAt: past }], {
      tokens: [{ id: "t1", name: "ci", inputs: { expiresAt: end } }],
    });
  for (const end of [expiresAt, undefined]) {
    const { findings, failed } = declaredUntil(end);
    expect(findings).toMatchObject([{ rule: "missing", severity: "error", token: { id: "t1" } }]);
    expect(findings[0]?.message).toContain(`it expired on ${past}, before its declared expiry`);
    expect(failed).toBe(true);
  }
  expect(rulesOf(declaredUntil(past).findings)).toEqual(["expiry t1"]);
});

describe("after a refresh that recorded a gain", () => {
  const declared = { name: "ci", expiresAt, orgCapabilities: { users: ["read"] } };
  const gained = { ...declared, orgCapabilities: { users: ["read", "delete"] } };
  /** The state as the provider's refresh writes it. */
  const refreshed = liveToken.write<ApiTokenState>(
    declared,
    liveToken.reconcile({ fields: declared, declared: {}, drifted: [] }, { ...gained, id: "t1" } as never),
    {},
  );
  const { record, ...outputs } = refreshed as unknown as { record: { declared: object; drifted: string[] } };
  const judge = (more: Record<string, unknown>) =>
    audit([{ id: "t1", ...gained }], { tokens: [{ id: "t1", name: "ci", inputs: gained, ...more }] });

  test("the audit compares with what the program declared", () => {
    expect(rulesOf(judge({ outputs, record }).findings)).toEqual(["escalated t1"]);
  });

  test("and whose record of the declaration is encrypted, the gain is an error, too", () => {
    const { drifted } = record;
    const hidden = { outputs: { ...outputs, secretRecord: encrypted }, record: { drifted } };
    expect(judge(hidden)).toMatchObject({
      findings: [{ rule: "hidden-capabilities", severity: "error" }],
      failed: true,
    });
  });
});

test("with all stacks, the file of a stack that nobody lists is an error: it can hide a token of a removed stack", () => {
  const at = (stack: string, ids: readonly string[], more: object = {}) => ({
    ...stackOf({ stack, tokens: ids.map((id) => ({ id, name: id, inputs: { expiresAt } })) }),
    identity: { organization: "acme", project: "web", stack },
    ...more,
  });
  const live = ["a", "b"].map((id) => ({ id, name: id, expiresAt }));
  const judge = (...stacks: ReturnType<typeof at>[]) =>
    auditTokens({ baseUrl, credential, now, live, scope: { wanted: "all" }, stacks });
  const listed = at("prod", ["a"], { origin: "export" });
  const { findings, coverage } = judge(listed, at("removed", ["b"], { source: "old.json" }));
  expect(findings).toMatchObject([{ rule: "stale-state", severity: "error" }]);
  expect(findings[0]?.message).toContain("old.json (as of 2026-11-21T12:00:00Z) is a state of acme/web/removed");
  expect(coverage.stacks.map(({ unlisted }) => unlisted)).toEqual([undefined, true]);
  expect(judge(at("prod", ["a", "b"], { origin: "export" })).findings).toEqual([]);
});
