import { expect, test } from "@jest/globals";
import type { Token } from "../../sdk";
import { auditsAbout, expiresAt, rulesOf } from "../support/audits";
import { type RecordedToken, stackOf } from "../support/states";

const audit = auditsAbout("missing", "elsewhere", "undeclared", "escalated", "retired", "orphaned");

const t1: Token = { id: "t1", name: "ci", expiresAt, orgCapabilities: { users: ["create", "read"] } };
const declared = (users: readonly string[], of: Partial<RecordedToken> = {}): RecordedToken => ({
  id: "t1",
  name: "ci",
  inputs: { expiresAt, orgCapabilities: { users } },
  ...of,
});
const full = ["create", "read"];
const replacing = (id: string, ends?: "later"): RecordedToken => ({
  id,
  name: id,
  inputs: { expiresAt },
  record: { replaced: [{ id: "t1", ...(ends && { ends }) }] },
});
const successors: Token[] = ["t2", "t3"].map((id) => ({ id, name: id, expiresAt }));

/** Two stacks have a record of the token t1; whichever is read first, the audit finds the same. */
test.each<[string, readonly Token[], RecordedToken, RecordedToken, string[]]>([
  [
    "one of two records that wait for its deletion allows less",
    [t1],
    declared(["read"], { more: { delete: true } }),
    declared(full, { more: { delete: true } }),
    ["escalated t1"],
  ],
  [
    "one successor should have revoked it, and another kept it",
    [t1, ...successors],
    replacing("t2", "later"),
    replacing("t3"),
    ["orphaned t1"],
  ],
])("if %s", (_, live, one, other, found) => {
  const stacks = [stackOf({ stack: "dev", tokens: [one] }), stackOf({ stack: "prod", tokens: [other] })];
  for (const ordered of [stacks, [...stacks].reverse()])
    expect(rulesOf(audit(live, {}, { stacks: ordered }).findings)).toEqual(found);
});
