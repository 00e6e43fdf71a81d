import { expect, test } from "@jest/globals";
import type { Policy } from "../../audit";
import type { Token } from "../../sdk";
import { auditsAbout, expiresAt, rulesOf } from "../support/audits";
import { encrypted, generatedFrom, type RecordedStack, type RecordedToken, stackOf } from "../support/states";

const audit = auditsAbout(
  ...(["undeclared", "orphaned", "pending", "retired", "escalated", "hidden-capabilities", "hidden-expiry"] as const),
  ...(["expiry", "duplicate-name"] as const),
);

/** A live token, and what the audit finds of it beside what a stack has recorded: "error undeclared t1". */
type Row = readonly [what: string, live: readonly Token[], recorded: RecordedStack, found: string[], says?: string];

function expectFound(_: string, live: readonly Token[], recorded: RecordedStack, found: string[], says = "") {
  const { findings, failed } = audit(live, recorded);
  const told = findings.map(({ severity, rule, token: { id, name = "" } }) => `${severity} ${rule} ${id ?? name}`);
  expect(told).toEqual(found);
  expect(failed).toBe(found.some((one) => one.startsWith("error")));
  expect(findings[0]?.message ?? "").toContain(says);
}

const past = "2026-11-20T00:00:00Z";
const t1 = { id: "t1", name: "ci", expiresAt };
const declared = (id: string, more: Partial<RecordedToken> = {}) => ({
  id,
  name: "ci",
  inputs: { expiresAt },
  ...more,
});
const generated = { ...t1, name: "ci-0a1b2c3" };

test.each<Row>([
  ["is undeclared", [t1], {}, ["error undeclared t1"]],
  [
    "is undeclared if a program only looks it up",
    [t1],
    { tokens: [declared("t1", { more: { external: true } })] },
    ["error undeclared t1"],
  ],
  ["that has expired does no harm", [{ ...t1, expiresAt: past }], {}, ["warning expiry t1"]],
  [
    "is orphaned if a create that did not finish has its name",
    [t1],
    { pending: [{ name: "ci" }] },
    ["error orphaned t1"],
    "has the same name as an unfinished create that may have created it",
  ],
  [
    "is orphaned if its name was generated for a create that did not finish",
    [generated],
    { pending: [{ name: generated.name, inputs: generatedFrom("ci") }] },
    ["error orphaned t1"],
    "was created by an update that did not finish",
  ],
  [
    "was not made by an adoption that did not finish",
    [t1],
    { pending: [{ name: "ci", inputs: { adopt: { id: "t1" } } }] },
    ["error undeclared t1", "warning pending "],
  ],
  [
    "is never orphaned by a name that looks generated: another stack can have generated it",
    [generated, { ...t1, id: "t0", name: "ci-1234567" }],
    { tokens: [declared("t0", { name: "ci-1234567", inputs: { ...generatedFrom("ci"), expiresAt } })] },
    ["error undeclared t1"],
  ],
])("a token that no stack declares %s", expectFound);

const kept = { id: "old", ends: "later", until: expiresAt };
const replacedBy = (replaced: unknown, more: Partial<RecordedToken> = {}): RecordedStack => ({
  tokens: [declared("new", { name: "n", record: { replaced }, ...more })],
});
const successor = { id: "new", name: "n", expiresAt };
const old: Token = { id: "old", name: "ci", expiresAt, orgCapabilities: { users: ["read"] } };
const oldUntil = (end: string) => [successor, { ...old, expiresAt: end }];

test.each<Row>([
  ["is a note as long as it is what it was", [successor, old], replacedBy([kept]), ["note retired old"]],
  [
    "is a note with fewer rights",
    [successor, { ...old, orgCapabilities: {} }],
    replacedBy([kept]),
    ["note retired old"],
  ],
  [
    "is a note with the name of its successor",
    [{ ...successor, name: "ci" }, old],
    replacedBy([kept], { name: "ci" }),
    ["note retired old"],
  ],
  ["is not told to expire soon: it should", oldUntil("2026-11-22T00:00:00Z"), replacedBy([kept]), ["note retired old"]],
  [
    "and gained a later end is escalated",
    oldUntil("2027-06-02T00:00:00Z"),
    replacedBy([kept]),
    ["error escalated old"],
  ],
  [
    "and gained a life without end is escalated",
    oldUntil("0001-01-01T00:00:00Z"),
    replacedBy([kept]),
    ["error escalated old"],
  ],
  [
    "and that the update should have revoked is left behind",
    [successor, old],
    replacedBy([{ id: "old" }]),
    ["error orphaned old"],
    "should have revoked it",
  ],
  [
    "and that the engine retained is a note",
    [successor, old],
    replacedBy([{ id: "old" }], { more: { retainOnDelete: true } }),
    ["note retired old"],
  ],
  [
    "is told apart by its id alone: another token of the name is undeclared",
    [successor, { ...old, id: "stranger" }],
    replacedBy([kept]),
    ["error undeclared stranger"],
  ],
  ...[undefined, encrypted, { old: kept }, ["old", null, {}]].map((replaced): Row => {
    const what = `is undeclared where the record of it is ${JSON.stringify(replaced)}`;
    return [what, [successor, old], replacedBy(replaced), ["error undeclared old"]];
  }),
  [
    "and is declared again is compared with that declaration",
    [successor, old],
    { tokens: [...(replacedBy([kept]).tokens ?? []), declared("old")] },
    ["error escalated old"],
  ],
])("a token that another one replaced %s", expectFound);

test("a token that was left behind is allowed by its id, not by a name", () => {
  const allowing = (one: object) => {
    const exception = { owner: "ops", reason: "r", until: "2026-12-01", expiresAt, ...one };
    const policy = { version: 1, exceptions: [exception] } as Policy;
    return audit([successor, old], replacedBy([{ id: "old" }]), { policy });
  };
  const orgCapabilities = { users: ["read"] };
  expect(allowing({ id: "old", orgCapabilities })).toMatchObject({ findings: [], summary: { accepted: 1 } });
  expect(allowing({ id: "old" }).findings).toMatchObject([
    { rule: "orphaned", message: expect.stringContaining("the exception for ops (r) does not cover") },
  ]);
  expect(rulesOf(allowing({ name: "ci", orgCapabilities }).findings)).toEqual(["orphaned old"]);
});

const create = [{ name: "ci" }];
test.each<Row>([
  ["and left no token is pending", [], { pending: create }, ["warning pending ci"]],
  [
    "and whose token of the same name is declared by now is pending",
    [t1],
    { tokens: [declared("t1")], pending: create },
    ["warning pending ci"],
  ],
  [
    "is pending beside a token of that name that was replaced",
    [successor, old],
    { ...replacedBy([kept]), pending: create },
    ["warning pending ci", "note retired old"],
  ],
  [
    "is pending beside a token of that name that has expired",
    oldUntil(past),
    { ...replacedBy([kept]), pending: create },
    ["warning expiry old", "warning pending ci"],
  ],
  [
    "and whose name is encrypted is pending: its token cannot be looked for",
    [],
    { pending: [{ name: "ci", inputs: { name: encrypted } }] },
    ["warning pending "],
    "encrypted",
  ],
])("a create that did not finish %s", expectFound);

test.each([
  ["acme/dev", "acme/prod"],
  ["acme/prod", "umbrella/prod"],
])(
  "a create in each of %s and %s is pending for each, except for the one that names the orphaned token",
  (...names) => {
    const stacks = names.map((name) => {
      const [organization = "", stack = ""] = name.split("/");
      return { ...stackOf({ stack, pending: create }), identity: { organization, project: "web", stack } };
    });
    expect(rulesOf(audit([], {}, { stacks }).findings)).toEqual(["pending ci", "pending ci"]);
    const { findings } = audit([t1], {}, { stacks });
    expect(rulesOf(findings)).toEqual(["orphaned t1", "pending ci"]);
    expect(findings[1]?.message).toContain("one of them may have created the orphaned token");
    const declaring = findings.map(({ declared }) => declared?.stack);
    expect(declaring.sort()).toEqual(names.map((name) => name.replace(/.*\//, "web/")).sort());
  },
);

const t2 = { ...t1, id: "t2" };
const withMore = (more: Record<string, unknown>) => ({ tokens: [declared("t1", { more })] });
test.each<Row>([
  ["that can be used", [t1, t2], withMore({}), ["error undeclared t2", "warning duplicate-name ci"]],
  ["but not by one that has expired", [t1, { ...t2, expiresAt: past }], withMore({}), ["warning expiry t2"]],
  [
    "but not by one that waits for its deletion",
    [t1, t2],
    withMore({ delete: true }),
    ["error undeclared t2", "error orphaned t1"],
  ],
  [
    "but not by one that gave way to a successor",
    [t1, t2],
    withMore({ pendingReplacement: true }),
    ["error undeclared t2", "warning pending t1"],
  ],
])("a name is shared by tokens %s", expectFound);
