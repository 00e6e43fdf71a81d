import { expect, test } from "@jest/globals";
import { baselineOf } from "../../audit";
import type { Token } from "../../sdk";
import { auditsAbout, expiresAt, rulesOf } from "../support/audits";
import { generatedFrom } from "../support/states";

const audit = auditsAbout("undeclared");
const successor: Token = { id: "new", name: "ci-0000000", expiresAt };
const recorded = { tokens: [{ id: "new", name: "ci-0000000", inputs: { expiresAt, ...generatedFrom("ci") } }] };

/** The six tokens that `pulumi up --replace` leaves of a token that had replaced five others. No state names them. */
const predecessors: Token[] = [1, 2, 3, 4, 5, 6].map((n) => ({ id: `p${n}`, name: `ci-000000${n}`, expiresAt }));

const findingsOf = (live: readonly Token[], more = {}) => audit([successor, ...live], recorded, more);

test("all predecessors of a replaced token are one finding, which names each of them", () => {
  const { findings, summary, failed } = findingsOf(predecessors);
  expect(findings).toMatchObject([
    {
      rule: "undeclared",
      severity: "error",
      token: { name: "ci" },
      ids: ["p1", "p2", "p3", "p4", "p5", "p6"],
      message: expect.stringMatching(/^6 live API tokens .* web\/prod generates for "ci": .*: p1, p2, p3, p4, p5, p6$/),
    },
  ]);
  expect([failed, summary.findings.error]).toEqual([true, 1]);
});

test("one alone, or one that no resource generates the name of, stays by itself", () => {
  const byHand = { id: "x", name: "by hand", expiresAt };
  expect(rulesOf(findingsOf([...predecessors.slice(0, 1), byHand]).findings)).toEqual([
    "undeclared x",
    "undeclared p1",
  ]);
});

test("a baseline accepts each of them by itself: one that expires changes nothing, and a new or a changed one is news", () => {
  const baseline = baselineOf(findingsOf(predecessors).findings);
  expect(baseline.findings).toHaveLength(6);
  expect(baseline).toEqual(baselineOf(predecessors.flatMap((one) => findingsOf([one]).findings)));
  expect(findingsOf(predecessors.slice(1), { baseline })).toMatchObject({ findings: [], summary: { baselined: 5 } });
  const more = { id: "p7", name: "ci-0000007", expiresAt };
  expect(rulesOf(findingsOf([...predecessors, more], { baseline }).findings)).toEqual(["undeclared p7"]);
  const gained = predecessors.map((one) => (one.id === "p3" ? { ...one, orgCapabilities: { users: ["read"] } } : one));
  expect(rulesOf(findingsOf(gained, { baseline }).findings)).toEqual(["undeclared p3"]);
});

test("one that an exception of the policy accepts, or does not, is not among them", () => {
  const exception = { owner: "ops", reason: "console", until: "2026-12-31" };
  const policy = {
    version: 1 as const,
    allowUndeclared: [
      { ...exception, id: "p1", expiresAt },
      { ...exception, id: "p2" },
    ],
  };
  const { findings } = findingsOf(predecessors, { policy });
  expect(findings.map(({ token, ids }) => ids ?? token.id)).toEqual([["p3", "p4", "p5", "p6"], "p2"]);
});
