import { describe, expect, test } from "@jest/globals";
import { auditTokens } from "../../audit";
import type { Token } from "../../sdk";
import { auditsAbout, expiresAt, now, rulesOf } from "../support/audits";
import { baseUrl, encrypted, stackOf } from "../support/states";

const audit = auditsAbout("missing", "escalated", "changed", "undeclared", "pending", "elsewhere", "unknown");

/** A declared token and what the service makes of it. */
const changed = (declared: Record<string, unknown>, live: Partial<Token>, outputs: Record<string, unknown> = {}) =>
  audit([{ id: "t1", name: "ci", expiresAt, ...live }], {
    tokens: [{ id: "t1", name: "ci", inputs: { expiresAt, ...declared }, outputs }],
  });

describe("a declared token", () => {
  test("that is live as declared is clean, however it is spelled", () => {
    const { findings, failed, summary } = changed(
      { expiresAt: "2027-06-01T02:00:00+02:00", orgCapabilities: { users: ["read", "create"], flows: [] } },
      { description: "", orgCapabilities: { users: ["create", "read"] } },
    );
    expect(findings).toEqual([]);
    expect(failed).toBe(false);
    expect(summary).toMatchObject({ live: 1, declared: 1 });
  });

  test("that is not live is missing", () => {
    const { findings, failed } = audit([], { tokens: [{ id: "t1", name: "ci" }] });
    expect(findings).toMatchObject([
      { rule: "missing", severity: "error", token: { id: "t1", name: "ci" }, declared: { stack: "web/prod" } },
    ]);
    expect(failed).toBe(true);
  });

  test.each([
    [
      "a capability of the organisation",
      { orgCapabilities: { users: ["read"] } },
      { orgCapabilities: { users: ["read", "create"] } },
    ],
    ["a capability on a dataset", {}, { datasetCapabilities: { web: { query: ["read"] } } }],
    [
      "something in a dataset's capabilities whose meaning nobody documents",
      { datasetCapabilities: { web: { all: false } } },
      { datasetCapabilities: { web: { all: true } } },
    ],
    ["a later expiry", {}, { expiresAt: "2027-06-01T00:00:00.1Z" }],
    ["a life without end", {}, { expiresAt: "" }],
  ])("that gained %s is escalated", (_, declared, live) => {
    expect(rulesOf(changed(declared, live).findings)).toContain("escalated t1");
  });

  test.each([
    ["lost a capability", { orgCapabilities: { users: ["read"] } }, {}],
    ["expires earlier", {}, { expiresAt: "2027-05-01T00:00:00Z" }],
    ["expires although it should not", { expiresAt: undefined }, {}],
    ["has another description", { description: "a" }, { description: "b" }],
    ["has another name", {}, { name: "other" }],
  ])("that %s is changed", (_, declared, live) => {
    const { findings, failed } = changed(declared, live);
    expect(rulesOf(findings)).toEqual(["changed t1"]);
    expect(failed).toBe(false);
  });

  test("is compared with what the service answered from the start, where that was not what was declared", () => {
    const answered = { expiresAt: "2027-05-31T00:00:00Z", description: "" };
    const declared = { description: "declared" };
    expect(changed(declared, { expiresAt: "2027-05-31T00:00:00Z" }, { answered }).findings).toEqual([]);
    expect(rulesOf(changed(declared, {}, { answered }).findings)).toEqual(["escalated t1"]);
  });

  test("is compared with the recorded inputs, not with outputs that a refresh left behind", () => {
    const { findings } = changed({ description: "declared" }, { description: "live" }, { description: "live" });
    expect(rulesOf(findings)).toEqual(["changed t1"]);
  });

  test("is compared with an output where no input says anything: it was decided when the token was made", () => {
    const decided = (live: string) => changed({ expiresAt: undefined }, { expiresAt: live }, { expiresAt }).findings;
    expect(decided(expiresAt)).toEqual([]);
    expect(rulesOf(decided("2027-06-02T00:00:00Z"))).toEqual(["escalated t1"]);
  });

  test("with encrypted values has these told as unknown, and the rest compared", () => {
    const { findings } = changed(
      { description: encrypted, orgCapabilities: { users: [encrypted] } },
      { description: "other", orgCapabilities: { rbac: ["create"] }, expiresAt: "2027-07-01T00:00:00Z" },
    );
    expect(findings).toMatchObject([
      { rule: "escalated", differences: [{ field: "expiresAt" }] },
      { rule: "unknown", severity: "note", message: expect.stringContaining("description, orgCapabilities") },
    ]);
    expect(JSON.stringify(findings)).not.toContain("ciphertext");
  });

  test("that is recorded on another service is told so, unless the audited one has it", () => {
    const outputs = { baseUrl: "https://other.example.com" };
    const here = { id: "t1", name: "here", inputs: { expiresAt } };
    const live = [{ id: "t1", name: "here", expiresAt }];
    const { findings } = audit(live, { tokens: [here, { id: "t2", name: "there", outputs }] });
    expect(findings).toMatchObject([{ rule: "elsewhere", severity: "note", token: { id: "t2" } }]);
    expect(audit(live, { tokens: [{ ...here, outputs }] }).findings).toEqual([]);
    expect(
      audit(live, { tokens: [here, { id: "t3", name: "x", outputs: { baseUrl: "HTTPS://API.example.com:443/" } }] })
        .findings,
    ).toMatchObject([{ rule: "missing" }]);
  });

  test("is not audited if all declared ones are on another service: the base URL is wrong", () => {
    const outputs = { baseUrl: "https://other.example.com" };
    const tokens = [1, 2].map((n) => ({ id: `t${n}`, name: `n${n}`, outputs }));
    expect(() => audit([], { tokens })).toThrow(
      "every declared token is on another service (the first on https://other.example.com), and https://api.example.com lists none of them",
    );
  });

  test("whose secret never arrived is a creation that did not finish", () => {
    const { findings } = changed({}, {}, { lost: true });
    expect(findings).toMatchObject([{ rule: "pending", severity: "warning", token: { id: "t1", name: "ci" } }]);
  });

  test("that was replaced and waits for its deletion is neither missing nor undeclared", () => {
    const more = { delete: true };
    const { findings, summary } = audit(
      [
        { id: "old", name: "a", expiresAt },
        { id: "new", name: "b", expiresAt },
      ],
      {
        tokens: [
          { id: "old", name: "a", inputs: { expiresAt: "2027-05-01T00:00:00Z" }, more },
          { id: "gone", name: "c", more },
          { id: "new", name: "b", inputs: { expiresAt } },
        ],
      },
    );
    expect(findings).toEqual([]);
    expect(summary).toMatchObject({ declared: 1, awaitingDeletion: 2 });
  });

  test("in two states that are one counts once", () => {
    const stack = stackOf({ tokens: [{ id: "t1", name: "ci" }] });
    const { findings, summary } = auditTokens({
      baseUrl,
      live: [],
      stacks: [stack, { ...stack, source: "file" }],
      now,
    });
    expect(rulesOf(findings)).toEqual(["missing t1"]);
    expect(summary.declared).toBe(1);
  });
});
