import { describe, expect, test } from "@jest/globals";
import { baselineOf, type Policy } from "../../audit";
import type { Token } from "../../sdk";
import { auditsAbout, expiresAt, rulesOf } from "../support/audits";

const audit = auditsAbout("undeclared", "orphaned");
const token: Token = { id: "t1", name: "by hand", expiresAt, orgCapabilities: { users: ["read"] } };
/** What makes a token more than what somebody accepted. */
const more: [string, Partial<Token>][] = [
  ["a right", { orgCapabilities: { users: ["read", "create"] } }],
  ["a right on a dataset", { datasetCapabilities: { web: { query: ["read"] } } }],
  ["a right on a view", { viewCapabilities: { web: { query: ["read"] } } }],
  ["a later end", { expiresAt: "2027-06-01T00:00:00.1Z" }],
  ["a life without end", { expiresAt: "" }],
  ["an end that cannot be read", { expiresAt: "2027-06-01" }],
];

describe.each(["undeclared", "orphaned"])("an accepted finding of the rule %s", (rule) => {
  const recorded = rule === "orphaned" ? { pending: [{ name: "by hand" }] } : {};
  const baseline = baselineOf(audit([token], recorded).findings);

  test("covers the token as it was accepted, however it is spelled", () => {
    const respelled = {
      ...token,
      expiresAt: "2027-06-01T01:00:00+01:00",
      orgCapabilities: { flows: [], users: ["read"] },
    };
    expect(audit([respelled], recorded, { baseline })).toMatchObject({ findings: [], summary: { baselined: 1 } });
  });

  test.each(more)("does not cover %s that the token gains", (_, gained) => {
    expect(rulesOf(audit([{ ...token, ...gained }], recorded, { baseline }).findings)).toEqual([`${rule} t1`]);
  });
});

describe("an exception of the policy", () => {
  const exception = { id: "t1", owner: "ops", reason: "console", until: "2026-12-31" };
  const judged = (live: Token, one: object, recorded = {}) => {
    const policy = { version: 1, allowUndeclared: [{ ...exception, ...one }] } as Policy;
    return audit([live], recorded, { policy });
  };
  const accepted = { orgCapabilities: { users: ["read"] }, expiresAt };

  test("covers the rights and the end that it names, and less", () => {
    expect(judged(token, accepted)).toMatchObject({ findings: [], summary: { allowed: 1 } });
    expect(judged({ ...token, orgCapabilities: {}, expiresAt: "2027-05-01T00:00:00Z" }, accepted).findings).toEqual([]);
    expect(judged({ id: "t1", name: "x" }, { expiresAt: "never" }).findings).toEqual([]);
  });

  test.each(more)("does not cover %s that the token gains", (_, gained) => {
    for (const recorded of [{}, { pending: [{ name: "by hand" }] }]) {
      const { findings, failed, summary } = judged({ ...token, ...gained }, accepted, recorded);
      expect(findings).toMatchObject([
        { token: { id: "t1" }, message: expect.stringContaining("the exception for ops (console) does not accept") },
      ]);
      expect([failed, summary.allowed]).toEqual([true, 0]);
    }
  });

  test("by a name covers no more than one by an id", () => {
    const byName = { id: undefined, name: "by *", ...accepted };
    expect(judged(token, byName).findings).toEqual([]);
    expect(judged({ ...token, orgCapabilities: { rbac: ["create"] } }, byName).findings).toHaveLength(1);
  });

  test("that names neither covers a token without rights that ends no later than the exception does", () => {
    const modest = { id: "t1", name: "x", expiresAt: "2027-01-01T00:00:00Z" };
    expect(judged(modest, {}).findings).toEqual([]);
    expect(judged({ ...modest, expiresAt: "2027-01-01T00:00:01Z" }, {}).findings).toHaveLength(1);
    expect(judged({ ...modest, orgCapabilities: { users: ["read"] } }, {}).findings).toHaveLength(1);
  });
});
