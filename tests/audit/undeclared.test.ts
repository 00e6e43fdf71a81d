import { describe, expect, test } from "@jest/globals";
import type { Token } from "../../sdk";
import { auditsAbout, expiresAt, rulesOf } from "../support/audits";
import { encrypted, generatedFrom, stackOf } from "../support/states";

const audit = auditsAbout("undeclared", "orphaned", "pending", "expired", "retired", "duplicate-name");

describe("a token that no stack declares", () => {
  const token = { id: "t1", name: "by hand", expiresAt };

  test("is undeclared, also if a program only looks it up", () => {
    const lookedUp = { id: "t1", name: "by hand", more: { external: true } };
    const { findings, failed } = audit([token], { tokens: [lookedUp] });
    expect(findings).toMatchObject([{ rule: "undeclared", severity: "error", token: { id: "t1", name: "by hand" } }]);
    expect(failed).toBe(true);
  });

  test("is orphaned if a create that did not finish has its name", () => {
    const { findings } = audit([token], { pending: [{ name: "by hand" }] });
    expect(findings).toMatchObject([
      {
        rule: "orphaned",
        severity: "error",
        token: { id: "t1" },
        declared: { urn: expect.stringMatching(/by hand$/) },
        message: expect.stringContaining("has the name of a create that did not finish, which may have created it"),
      },
    ]);
  });

  test("is what a create that did not finish made if its name was generated for that", () => {
    const generated = { ...token, name: "ci-0a1b2c3" };
    const { findings } = audit([generated], { pending: [{ name: "ci-0a1b2c3", inputs: generatedFrom("ci") }] });
    expect(findings).toMatchObject([
      { rule: "orphaned", message: expect.stringContaining("was created by an update that did not finish") },
    ]);
  });

  test("is not what an adoption that did not finish left: that makes none", () => {
    const { findings } = audit([token], { pending: [{ name: "by hand", inputs: { adopt: { name: "by hand" } } }] });
    expect(rulesOf(findings)).toEqual(["undeclared t1", expect.stringMatching(/^pending/)]);
  });

  test("and has expired is told as expired only: it does no harm", () => {
    expect(rulesOf(audit([{ ...token, expiresAt: "2026-11-20T00:00:00Z" }]).findings)).toEqual(["expired t1"]);
  });
});

describe("a creation that did not finish", () => {
  test("and left no token is pending", () => {
    const { findings, failed } = audit([], { pending: [{ name: "ci" }] });
    expect(findings).toMatchObject([{ rule: "pending", severity: "warning", token: { name: "ci" } }]);
    expect(failed).toBe(false);
  });

  test("and whose token of the same name is declared by now is pending", () => {
    const recorded = { tokens: [{ id: "t1", name: "ci", inputs: { expiresAt } }], pending: [{ name: "ci" }] };
    expect(rulesOf(audit([{ id: "t1", name: "ci", expiresAt }], recorded).findings)).toEqual(["pending ci"]);
  });

  const kept = { id: "old", ends: "later", until: expiresAt };
  const successor = { id: "new", name: "n", inputs: { expiresAt }, record: { replaced: [kept] } };
  test.each([
    ["that was replaced", expiresAt, "retired old"],
    ["that has expired", "2026-11-20T00:00:00Z", "expired old"],
  ])("is pending beside a token of that name %s", (_, end, other) => {
    const live = [
      { id: "old", name: "ci", expiresAt: end },
      { id: "new", name: "n", expiresAt },
    ];
    const recorded = { tokens: [successor], pending: [{ name: "ci" }] };
    expect(rulesOf(audit(live, recorded).findings).sort()).toEqual([other, "pending ci"].sort());
  });

  test.each([
    [
      ["acme", "dev"],
      ["acme", "prod"],
    ],
    [
      ["acme", "prod"],
      ["umbrella", "prod"],
    ],
  ])(
    "in each of two stacks (%s, %s) is pending for each, except for the one that names the orphaned token",
    (...names) => {
      const stacks = names.map(([organization, stack]) => ({
        ...stackOf({ ...(stack && { stack }), pending: [{ name: "ci" }] }),
        identity: { organization, project: "web", stack },
      }));
      expect(rulesOf(audit([], {}, { stacks }).findings)).toEqual(["pending ci", "pending ci"]);
      const { findings } = audit([{ id: "t1", name: "ci", expiresAt }], {}, { stacks });
      expect(rulesOf(findings)).toEqual(["orphaned t1", "pending ci"]);
      expect(new Set(findings.map(({ declared }) => declared?.stack))).toEqual(
        new Set(names.map(([, stack]) => `web/${stack}`)),
      );
      expect(findings[1]?.message).toContain("one of them may have created the orphaned token");
    },
  );

  test("and whose name is encrypted is pending: its token cannot be looked for", () => {
    const { findings } = audit([], { pending: [{ name: "ci", inputs: { name: encrypted } }] });
    expect(findings).toMatchObject([{ rule: "pending", token: {}, message: expect.stringContaining("encrypted") }]);
  });
});

test("a name is shared only by tokens that can be used: none that has expired or that gave way to a successor", () => {
  const named = (id: string, end = expiresAt) => ({ id, name: "ci", expiresAt: end });
  const shared = (live: Token[], more?: Record<string, unknown>) =>
    rulesOf(audit(live, { tokens: [{ id: "t1", name: "ci", inputs: { expiresAt }, ...(more && { more }) }] }).findings);
  expect(shared([named("t1"), named("t2")])).toEqual(["undeclared t2", "duplicate-name ci"]);
  expect(shared([named("t1"), named("t2", "2026-11-20T00:00:00Z")])).toEqual(["expired t2"]);
  expect(shared([named("t1"), named("t2")], { delete: true })).toEqual(["undeclared t2"]);
  expect(shared([named("t1"), named("t2")], { pendingReplacement: true })).toEqual(["undeclared t2", "pending t1"]);
});
