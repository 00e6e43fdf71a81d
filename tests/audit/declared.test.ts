import { describe, expect, test } from "@jest/globals";
import { auditTokens } from "../../audit";
import type { Token } from "../../sdk";
import { auditsAbout, expiresAt, now, rulesOf } from "../support/audits";
import { baseUrl, credential, type RecordedToken, stackOf } from "../support/states";

const audit = auditsAbout(
  "missing",
  "escalated",
  "changed",
  "undeclared",
  "pending",
  "hidden-capabilities",
  "hidden-expiry",
);

/** A declared token and what the service makes of it. */
const findChanges = (declared: Record<string, unknown>, live: Partial<Token>, outputs: Record<string, unknown> = {}) =>
  audit([{ id: "t1", name: "ci", expiresAt, ...live }], {
    tokens: [{ id: "t1", name: "ci", inputs: { expiresAt, ...declared }, outputs }],
  });

const users = (...actions: string[]) => ({ orgCapabilities: { users: actions } });
const webWith = (more: object) => ({ datasetCapabilities: { web: more } });

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

  test.each<[string, object, object, string]>([
    ["gained a right", users("read"), users("read", "create"), "escalated t1"],
    ["gained a right on a dataset", {}, { datasetCapabilities: { web: { query: ["read"] } } }, "escalated t1"],
    ["gained something of an unknown meaning", webWith({ all: false }), webWith({ all: true }), "escalated t1"],
    ["expires later", {}, { expiresAt: "2027-06-01T00:00:00.1Z" }, "escalated t1"],
    ["never expires", {}, { expiresAt: "" }, "escalated t1"],
    ["lost a right", users("read"), {}, "changed t1"],
    ["expires earlier", {}, { expiresAt: "2027-05-01T00:00:00Z" }, "changed t1"],
    ["expires although it should not", { expiresAt: undefined }, {}, "changed t1"],
    ["has another description", { description: "a" }, { description: "b" }, "changed t1"],
    ["has another name", {}, { name: "other" }, "changed t1"],
  ])("that %s", (_, declared, live, found) => {
    const { findings, failed } = findChanges({ ...declared }, live);
    expect([rulesOf(findings), failed]).toEqual([[found], found.startsWith("escalated")]);
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
    const { findings } = findChanges({}, {}, { incomplete: "its secret never arrived" });
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
          message: expect.stringMatching(/was to be replaced, but the replacement did not finish: run pulumi up/),
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
});

const rights = (users: readonly string[], more: Partial<RecordedToken> = {}): RecordedToken => ({
  id: "t1",
  name: "ci",
  inputs: { expiresAt, orgCapabilities: { users } },
  ...more,
});
const full = ["create", "read"];
const waiting = { more: { delete: true } };
const replacing = (id: string, ends?: "later"): RecordedToken => ({
  id,
  name: id,
  inputs: { expiresAt },
  record: { replaced: [{ id: "t1", ...(ends && { ends }) }] },
});

test.each<[string, RecordedToken, RecordedToken, ...string[]]>([
  ["one of two declarations allows less", rights(["read"]), rights(full), "escalated t1"],
  [
    "one of two records that wait for its deletion allows less",
    rights(["read"], waiting),
    rights(full, waiting),
    ...["escalated t1", "orphaned t1", "orphaned t1"],
  ],
  [
    "one successor should have revoked it, and another kept it",
    replacing("t2", "later"),
    replacing("t3"),
    "orphaned t1",
  ],
])("if %s, the audit finds the same, whichever stack is read first", (_, one, other, ...found) => {
  const stacks = [one, other].map((token, at) => ({
    ...stackOf({ tokens: [token] }),
    identity: { organization: `o${at}`, project: "web", stack: "prod" },
  }));
  const t1: Token = { id: "t1", name: "ci", expiresAt, orgCapabilities: { users: full } };
  const live = [t1, ...["t2", "t3"].map((id) => ({ id, name: id, expiresAt }))];
  const judge = auditsAbout("missing", "elsewhere", "escalated", "retired", "orphaned");
  for (const ordered of [stacks, [...stacks].reverse()])
    expect(rulesOf(judge(live, {}, { stacks: ordered }).findings)).toEqual(found);
});
