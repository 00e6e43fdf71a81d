import { describe, expect, test } from "@jest/globals";
import type { Policy } from "../../audit";
import type { Token } from "../../sdk";
import { auditsAbout, expiresAt, rulesOf } from "../support/audits";
import { encrypted, generatedFrom } from "../support/states";

const audit = auditsAbout("retired", "undeclared", "orphaned", "escalated", "uncompared", "duplicate-name", "expiring");
const old: Token = { id: "old", name: "ci", expiresAt, orgCapabilities: { users: ["read"] } };
const successor: Token = { ...old, id: "new", expiresAt: "2027-12-01T00:00:00Z" };
const kept = { id: "old", ends: "later", until: expiresAt };

const afterRotation = (
  live: readonly Token[],
  replaced: unknown = [kept],
  { more = {}, policy }: { more?: Record<string, unknown>; policy?: Policy } = {},
) => {
  const { expiresAt: end, orgCapabilities } = successor;
  const inputs = { expiresAt: end, orgCapabilities };
  const tokens = [{ id: "new", name: "ci", inputs, record: { replaced }, more }];
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

  test.each([
    ["a later end", "2027-06-02T00:00:00Z"],
    ["a life without end", "0001-01-01T00:00:00Z"],
  ])("and gained %s is escalated", (_, end) => {
    const { findings, failed } = afterRotation([{ ...old, expiresAt: end }]);
    expect([rulesOf(findings), failed]).toEqual([["escalated old"], true]);
  });

  test("and that the update should have revoked is left behind", () => {
    const { findings, failed } = afterRotation([old], [{ id: "old" }]);
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

  test("and that the engine retained is a note", () => {
    expect(rulesOf(afterRotation([old], [{ id: "old" }], { more: { retainOnDelete: true } }).findings)).toEqual([
      "retired old",
    ]);
  });

  test("and that was left behind is allowed by its id", () => {
    const allowing = (one: object, more: Partial<Token> = {}) => {
      const exception = { owner: "ops", reason: "r", until: "2026-12-01", expiresAt, ...one };
      const policy = { version: 1, exceptions: [exception] } as Policy;
      return afterRotation([{ ...old, ...more }], [{ id: "old" }], { policy });
    };
    const orgCapabilities = { users: ["read"] };
    const allowed = allowing({ id: "old", orgCapabilities });
    expect([allowed.findings, allowed.summary.accepted]).toEqual([[], 1]);
    expect(allowing({ id: "old" }).findings).toMatchObject([
      { rule: "orphaned", message: expect.stringContaining("the exception for ops (r) does not accept what it holds") },
    ]);
    expect(rulesOf(allowing({ name: "ci", orgCapabilities }).findings)).toEqual(["orphaned old"]);
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
    ["of another shape", { old: kept }],
    ["a list of other things", ["old", null, {}]],
  ])("is undeclared where the record of it is %s", (_, replaced) => {
    expect(rulesOf(afterRotation([{ ...old, name: "x" }], replaced ?? null).findings)).toEqual(["undeclared old"]);
  });

  test("and is declared again is compared with that declaration", () => {
    const recorded = {
      tokens: [
        { id: "new", name: "n", inputs: { expiresAt }, record: { replaced: [kept] } },
        { id: "old", name: "ci", inputs: { expiresAt } },
      ],
    };
    expect(
      rulesOf(audit([{ ...successor, name: "n", expiresAt, orgCapabilities: {} }, old], recorded).findings),
    ).toEqual(["escalated old"]);
  });
});

test("a token is never orphaned by a name that looks generated: another stack can have generated it", () => {
  const inputs = { ...generatedFrom("ci"), expiresAt };
  const recorded = { tokens: [{ id: "t0", name: "ci-1234567", inputs }] };
  const live = [
    { id: "t0", name: "ci-1234567", expiresAt },
    { id: "t1", name: "ci-0a1b2c3", expiresAt },
  ];
  const { findings } = audit(live, recorded);
  expect(rulesOf(findings)).toEqual(["undeclared t1"]);
  expect(findings[0]).not.toHaveProperty("declared");
});
