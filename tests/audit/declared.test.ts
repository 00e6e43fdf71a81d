import { describe, expect, test } from "@jest/globals";
import { auditTokens } from "../../audit";
import type { Token } from "../../sdk";
import { auditsAbout, expiresAt, now, rulesOf } from "../support/audits";
import { baseUrl, credential, stackOf } from "../support/states";

const audit = auditsAbout("missing", "escalated", "changed", "undeclared", "pending", "unknown", "uncompared");

/** A declared token and what the service makes of it. */
const findChanges = (declared: Record<string, unknown>, live: Partial<Token>, outputs: Record<string, unknown> = {}) =>
  audit([{ id: "t1", name: "ci", expiresAt, ...live }], {
    tokens: [{ id: "t1", name: "ci", inputs: { expiresAt, ...declared }, outputs }],
  });

describe("a declared token", () => {
  test("that is live as declared is clean, however it is spelled", () => {
    const { findings, failed, summary } = findChanges(
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
      "a capability of the organization",
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
    expect(rulesOf(findChanges(declared, live).findings)).toContain("escalated t1");
  });

  test.each([
    ["lost a capability", { orgCapabilities: { users: ["read"] } }, {}],
    ["expires earlier", {}, { expiresAt: "2027-05-01T00:00:00Z" }],
    ["expires although it should not", { expiresAt: undefined }, {}],
    ["has another description", { description: "a" }, { description: "b" }],
    ["has another name", {}, { name: "other" }],
  ])("that %s is changed", (_, declared, live) => {
    const { findings, failed } = findChanges(declared, live);
    expect(rulesOf(findings)).toEqual(["changed t1"]);
    expect(failed).toBe(false);
  });

  test("is compared with the recorded inputs, not with outputs that a refresh left behind", () => {
    const { findings } = findChanges({ description: "declared" }, { description: "live" }, { description: "live" });
    expect(rulesOf(findings)).toEqual(["changed t1"]);
  });

  test("is compared with an output where no input says anything: it was decided when the token was made", () => {
    const decided = (live: string) =>
      findChanges({ expiresAt: undefined }, { expiresAt: live }, { expiresAt }).findings;
    expect(decided(expiresAt)).toEqual([]);
    expect(rulesOf(decided("2027-06-02T00:00:00Z"))).toEqual(["escalated t1"]);
  });

  test("whose secret never arrived is a creation that did not finish", () => {
    const record = { lost: true };
    const { findings } = findChanges({}, {}, { record });
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
          { id: "old", name: "a", inputs: { expiresAt }, more },
          { id: "gone", name: "c", more },
          { id: "new", name: "b", inputs: { expiresAt } },
        ],
      },
    );
    expect(findings).toEqual([]);
    expect(summary).toMatchObject({ declared: 1 });
  });

  test("that waits for its deletion and gains a right or a later end until then is escalated", () => {
    const recorded = { tokens: [{ id: "t1", name: "ci", inputs: { expiresAt }, more: { delete: true } }] };
    for (const more of [{ orgCapabilities: { users: ["create"] } }, { expiresAt: "2027-06-02T00:00:00Z" }]) {
      expect(rulesOf(audit([{ id: "t1", name: "ci", expiresAt, ...more }], recorded).findings)).toEqual([
        "escalated t1",
      ]);
    }
    expect(audit([{ id: "t1", name: "ci", expiresAt, description: "other" }], recorded).findings).toEqual([]);
  });

  test("that its own resource adopted again is compared, though its earlier record waits for a deletion", () => {
    const token = { id: "t1", name: "ci", inputs: { expiresAt } };
    const recorded = { tokens: [token, { ...token, more: { delete: true } }] };
    const gained = { id: "t1", name: "ci", expiresAt, orgCapabilities: { users: ["create"] } };
    expect(rulesOf(audit([gained], recorded).findings)).toEqual(["escalated t1"]);
    expect(rulesOf(audit([], recorded).findings)).toEqual(["missing t1"]);
  });

  describe("whose replacement deleted it and then could not create its successor", () => {
    const token = { id: "t1", name: "ci", inputs: { expiresAt }, more: { pendingReplacement: true } };
    const live = { id: "t1", name: "ci", expiresAt };

    test("is pending, on whatever account the audit looks", () => {
      const { findings, summary } = audit([], { tokens: [token] });
      expect(findings).toMatchObject([
        {
          rule: "pending",
          token: { id: "t1", name: "ci" },
          declared: { stack: "web/prod" },
          message: expect.stringMatching(/gave way to a replacement that did not finish: run pulumi up/),
        },
      ]);
      expect(summary).toMatchObject({ declared: 0 });
      const elsewhere = { ...token, record: { baseUrl: "https://eu.example.com" } };
      expect(rulesOf(audit([], { tokens: [elsewhere] }).findings)).toEqual(["pending t1"]);
    });

    test("is pending if it stays valid, too, and may grant no more than before", () => {
      expect(rulesOf(audit([live], { tokens: [token] }).findings)).toEqual(["pending t1"]);
      const gained = { ...live, orgCapabilities: { users: ["create"] } };
      expect(rulesOf(audit([gained], { tokens: [token] }).findings)).toEqual(["escalated t1", "pending t1"]);
    });
  });

  test("in two states of one stack is an error: a stale one could hide a token", () => {
    const stack = stackOf({ tokens: [{ id: "t1", name: "ci" }] });
    const stacks = [stack, { ...stack, source: "file" }];
    expect(() => auditTokens({ baseUrl, credential, live: [], stacks, now })).toThrow(
      /prod and file are both states of .*prod.* Nothing was audited\.$/,
    );
  });

  test("in the stacks of one name of two organizations is compared with each declaration", () => {
    const live = { id: "t1", name: "ci", expiresAt, orgCapabilities: { users: ["create", "read"] } };
    const stacks = [["read"], ["create", "read"]].map((users, at) => ({
      ...stackOf({ tokens: [{ id: "t1", name: "ci", inputs: { expiresAt, orgCapabilities: { users } } }] }),
      identity: { organization: `o${at}`, project: "web", stack: "prod" },
    }));
    for (const ordered of [stacks, [...stacks].reverse()])
      expect(rulesOf(audit([live], {}, { stacks: ordered }).findings)).toEqual(["escalated t1"]);
  });
});
