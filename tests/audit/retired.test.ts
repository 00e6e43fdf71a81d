import { describe, expect, test } from "@jest/globals";
import type { Policy } from "../../audit";
import type { Token } from "../../sdk";
import { auditsAbout, expiresAt, rulesOf } from "../support/audits";
import { encrypted, generatedFrom } from "../support/states";

const audit = auditsAbout("retired", "undeclared", "orphaned", "escalated", "uncompared", "duplicate-name", "expiring");
const old: Token = { id: "old", name: "ci", expiresAt, orgCapabilities: { users: ["read"] } };
const successor: Token = { ...old, id: "new", expiresAt: "2027-12-01T00:00:00Z" };
const predecessor = {
  id: "old",
  fate: "expire",
  origin: "created",
  expiresAt,
  orgCapabilities: { users: ["read"] },
};

const afterRotation = (
  live: readonly Token[],
  predecessors: unknown = [predecessor],
  { more = {}, policy }: { more?: Record<string, unknown>; policy?: Policy } = {},
) => {
  const { expiresAt: end, orgCapabilities } = successor;
  const inputs = { expiresAt: end, orgCapabilities };
  const tokens = [{ id: "new", name: "ci", inputs, record: { predecessors }, more }];
  return audit([successor, ...live], { tokens }, { policy });
};

describe("a token that another one replaced", () => {
  test("is a note as long as it is what it was, though it has its successor's name", () => {
    const { findings, failed } = afterRotation([old]);
    expect(findings).toMatchObject([
      { rule: "retired", severity: "note", token: { id: "old" }, declared: { stack: "web/prod" } },
    ]);
    expect(failed).toBe(false);
    expect(rulesOf(afterRotation([{ ...old, orgCapabilities: {} }]).findings)).toEqual(["retired old"]);
  });

  test("is not told to expire soon: it should", () => {
    expect(rulesOf(afterRotation([{ ...old, expiresAt: "2026-11-22T00:00:00Z" }]).findings)).toEqual(["retired old"]);
  });

  test.each<[string, Partial<Token>]>([
    ["a right", { orgCapabilities: { users: ["read", "create"] } }],
    ["a right on a dataset", { datasetCapabilities: { web: { query: ["read"] } } }],
    ["a later end", { expiresAt: "2027-06-02T00:00:00Z" }],
    ["a life without end", { expiresAt: "0001-01-01T00:00:00Z" }],
  ])("and gained %s is escalated", (_, gained) => {
    const { findings, failed } = afterRotation([{ ...old, ...gained }]);
    expect(rulesOf(findings)).toEqual(["escalated old"]);
    expect(failed).toBe(true);
  });

  test("and whose rights are encrypted in the record could not be compared", () => {
    const { findings } = afterRotation([old], [{ ...predecessor, orgCapabilities: encrypted }]);
    expect(findings).toMatchObject([{ rule: "uncompared", severity: "error", token: { id: "old" } }]);
  });

  test("and whose rights the record leaves out because they were declared as a secret could not be compared", () => {
    const { orgCapabilities: _, ...rest } = predecessor;
    const recorded = [{ ...rest, hidden: ["orgCapabilities"] }];
    expect(rulesOf(afterRotation([old], recorded).findings)).toEqual(["uncompared old"]);
    expect(rulesOf(afterRotation([{ ...old, orgCapabilities: {} }], recorded).findings)).toEqual(["retired old"]);
  });

  test("and whose secret never arrived is left behind: nobody uses it, and it should be revoked", () => {
    const { findings, failed } = afterRotation([old], [{ ...predecessor, origin: "lost" }]);
    expect(findings).toMatchObject([{ rule: "orphaned", token: { id: "old" }, declared: { stack: "web/prod" } }]);
    expect(failed).toBe(true);
  });

  test("and that the update should have revoked is left behind", () => {
    const { findings, failed } = afterRotation([old], [{ ...predecessor, fate: "revoke" }]);
    expect(findings).toMatchObject([
      {
        rule: "orphaned",
        token: { id: "old" },
        declared: { stack: "web/prod" },
        message: expect.stringContaining("should have revoked it"),
      },
    ]);
    expect(failed).toBe(true);
  });

  test("and that the engine retained is a note; if its secret never arrived, it is left behind all the same", () => {
    const retained = (of: object) =>
      rulesOf(afterRotation([old], [{ ...predecessor, ...of }], { more: { retainOnDelete: true } }).findings);
    expect(retained({ fate: "revoke" })).toEqual(["retired old"]);
    expect(retained({ fate: "revoke", origin: "lost" })).toEqual(["orphaned old"]);
  });

  test.each([{ origin: "lost" }, { fate: "revoke" }])("and that was left behind (%j) is allowed by its id", (of) => {
    const allowing = (one: object, more: Partial<Token> = {}) => {
      const exception = { owner: "ops", reason: "r", until: "2026-12-01", expiresAt, ...one };
      const policy = { version: 1, allowUndeclared: [exception] } as Policy;
      return afterRotation([{ ...old, ...more }], [{ ...predecessor, ...of }], { policy });
    };
    const orgCapabilities = { users: ["read"] };
    const allowed = allowing({ id: "old", orgCapabilities });
    expect([allowed.findings, allowed.summary.allowed]).toEqual([[], 1]);
    expect(allowing({ id: "old" }).findings).toMatchObject([
      { rule: "orphaned", message: expect.stringContaining("the exception for ops (r) does not accept what it holds") },
    ]);
    expect(rulesOf(allowing({ name: "ci", orgCapabilities }).findings)).toEqual(["orphaned old"]);
    const gained = { orgCapabilities: { users: ["read", "create"] } };
    expect(rulesOf(allowing({ id: "old", ...gained }, gained).findings)).toEqual(["escalated old"]);
  });

  test("is told apart by its id alone: another token of the name is undeclared", () => {
    expect(rulesOf(afterRotation([{ ...old, id: "stranger" }]).findings)).toEqual([
      "undeclared stranger",
      "duplicate-name ci",
    ]);
  });

  test.each<[string, unknown]>([
    ["absent", undefined],
    ["encrypted", encrypted],
    ["of another shape", { old: predecessor }],
    ["a list of other things", ["old", null, {}]],
  ])("is undeclared where the record of it is %s", (_, predecessors) => {
    expect(rulesOf(afterRotation([{ ...old, name: "x" }], predecessors ?? null).findings)).toEqual(["undeclared old"]);
  });

  test("and is declared again is compared with that declaration", () => {
    const recorded = {
      tokens: [
        { id: "new", name: "n", inputs: { expiresAt }, record: { predecessors: [predecessor] } },
        { id: "old", name: "ci", inputs: { expiresAt } },
      ],
    };
    expect(
      rulesOf(audit([{ ...successor, name: "n", expiresAt, orgCapabilities: {} }, old], recorded).findings),
    ).toEqual(["escalated old"]);
  });
});

test.each([
  ["ci-0a1b2c3", true],
  ["ci-0a1b2c", false],
  ["ci-0a1b2c34", false],
  ["ci-0A1B2C3", false],
  ["my-ci-0a1b2c3", false],
])("a token called %s is never orphaned by its name; that a stack could have made it is a hint: %s", (name, hint) => {
  const inputs = { ...generatedFrom("ci"), expiresAt };
  const recorded = { tokens: [{ id: "t0", name: "ci-1234567", inputs }] };
  const live = [
    { id: "t0", name: "ci-1234567", expiresAt },
    { id: "t1", name, expiresAt },
  ];
  const { findings } = audit(live, recorded);
  expect(rulesOf(findings)).toEqual(["undeclared t1"]);
  expect(findings[0]?.message.includes("it may belong to a stack that was not audited")).toBe(hint);
  expect(findings[0]).not.toHaveProperty("declared");
});
