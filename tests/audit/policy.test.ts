import { readFileSync } from "node:fs";
import path from "node:path";
import { expect, test } from "@jest/globals";
import fc from "fast-check";
import { defaultRestricted, type Policy, readPolicy } from "../../audit";
import { matchesPattern } from "../../audit/policy";
import { schemaProblems } from "../cli/schemas";
import { runsOf } from "../fuzz/random";

const schema = JSON.parse(readFileSync(path.join(__dirname, "../../audit/schemas/audit-policy.v1.json"), "utf8"));
const exception = { id: "t1", owner: "ops", reason: "console", until: "2027-01-31" };

const good: Record<string, unknown>[] = [
  { version: 1 },
  { $schema: "./x.json", version: 1, failOn: "none", expiringWithin: "14d", maxLifetime: "52w" },
  { version: 1, rules: { undeclared: "note", "never-expires": "off" } },
  { version: 1, restricted: [{ capability: "rbac:*", holders: [{ id: "t1" }, { name: "ci-*", stack: "web/*" }] }] },
  { version: 1, restricted: [] },
  { version: 1, names: ["ci-*", "web"] },
  {
    version: 1,
    exceptions: [
      { ...exception, expiresAt: "never", orgCapabilities: { users: ["read"] }, viewCapabilities: {} },
      { ...exception, id: undefined, name: "x*", until: "2027-01-31T00:00:00Z" },
    ],
  },
];

const bad: [member: string, policy: unknown][] = [
  ["version", []],
  ["version", {}],
  ["version", { version: 2 }],
  ["failOn", { version: 1, failOn: "note" }],
  ["expiringWithin", { version: 1, expiringWithin: "2 weeks" }],
  ["maxLifetime", { version: 1, maxLifetime: 90 }],
  ["rules.undeclared", { version: 1, rules: { undeclared: "fatal" } }],
  ["rules.undeclard", { version: 1, rules: { undeclard: "note" } }],
  ["allowUndeclard", { version: 1, allowUndeclard: [] }],
  ["names", { version: 1, names: [] }],
  ["names.0", { version: 1, names: [""] }],
  ["restricted.0.capability", { version: 1, restricted: [{ capability: "rbac" }] }],
  ["restricted.0.capability", { version: 1, restricted: [{ capability: "apiToken:create" }] }],
  ["restricted.1.capability", { version: 1, restricted: [{ capability: "rbac:*" }, { capability: "rbac:creat" }] }],
  ["restricted.0.holders.0", { version: 1, restricted: [{ capability: "rbac:*", holders: [{}] }] }],
  ["exceptions.0.until", { version: 1, exceptions: [{ ...exception, until: undefined }] }],
  ["exceptions.0", { version: 1, exceptions: [{ ...exception, until: "next year" }] }],
  ["exceptions.0", { version: 1, exceptions: [{ ...exception, name: "both" }] }],
  ["exceptions.0.expiresAt", { version: 1, exceptions: [{ ...exception, expiresAt: "2027-01-31" }] }],
  ["exceptions.0.orgCapabilities", { version: 1, exceptions: [{ ...exception, orgCapabilities: [] }] }],
  ["exceptions.0.owner", { version: 1, exceptions: [{ ...exception, owner: "" }] }],
];

const asJson = (value: unknown) => JSON.parse(JSON.stringify(value));

test.each(good)("%j is a policy, for the published schema too", (policy) => {
  expect(readPolicy(asJson(policy), "file")).toEqual(asJson(policy));
  expect(schemaProblems(schema, asJson(policy))).toEqual([]);
});

test.each(bad)("a mistake in %s is named, and the published schema sees it too: %j", (member, policy) => {
  expect(() => readPolicy(asJson(policy), "file")).toThrow(`file: not a policy: ${member}: `);
  expect(schemaProblems(schema, asJson(policy))).not.toEqual([]);
});

test("the published schema knows the default restrictions", () => {
  for (const { capability } of defaultRestricted) {
    expect(schema.properties.restricted.description).toContain(capability);
  }
});

test("a day that the calendar does not have is no end of an exception", () => {
  const policy: Policy = { version: 1, exceptions: [{ ...exception, until: "2027-02-30" }] };
  expect(() => readPolicy(policy, "file")).toThrow("until: a day such as 2027-01-31");
});

test("a pattern fits as the regular expression that it stands for does, and its other characters stand for themselves", () => {
  expect([matchesPattern("a.c", "abc"), matchesPattern("web/prod", "web/prod2")]).toEqual([false, false]);
  const text = fc.string({ unit: fc.constantFrom("a", "b", "*"), maxLength: 8 });
  const plain = fc.string({ unit: fc.constantFrom("a", "b"), maxLength: 12 });
  fc.assert(
    fc.property(text, plain, (pattern, value) => {
      const expected = new RegExp(`^${pattern.replaceAll("*", ".*")}$`, "s").test(value);
      return matchesPattern(pattern, value) === expected;
    }),
    { numRuns: runsOf(500) },
  );
});
