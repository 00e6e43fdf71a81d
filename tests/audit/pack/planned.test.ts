import { expect, test } from "@jest/globals";
import fc from "fast-check";
import { auditTokens, type Policy, readState } from "../../../audit";
import { judgePlanned } from "../../../audit/standards";
import { notKnown } from "../../../framework/unknown";
import { runsOf } from "../../fuzz/random";

const urn = "urn:pulumi:prod::web::pulumi-nodejs:event-datasets:ApiToken::ci";
const now = Date.parse("2026-11-21T12:00:00Z");
const inDays = (days: number) => new Date(now + days * 86_400_000).toISOString();

const judge = (inputs: Record<string, unknown>, policy: Omit<Policy, "version">) =>
  judgePlanned({ urn, inputs: { name: "ci-0a1b2c3", ...inputs } }, { version: 1, ...policy }, now);
const rulesOf = (inputs: Record<string, unknown>, policy: Omit<Policy, "version"> = {}) =>
  judge(inputs, policy).map(({ rule }) => rule);

const limited = { maxLifetime: "90d" };
const rights = { apiTokens: ["create"] };
const holders = (...all: object[]) => ({ restricted: [{ capability: "apiTokens:*", holders: all }] });

/** Of expiries, rights and names that are known, the property below is the test. */
test.each<[string, Record<string, unknown>, Omit<Policy, "version">, string[]]>([
  ["a lifetime of exactly the limit", { expiresIn: "90d" }, limited, []],
  ["a longer lifetime", { expiresIn: "91d" }, limited, ["long-lived"]],
  ["a rotation", { expiresIn: "30d", rotation: { rotateBefore: "7d" } }, limited, []],
  ["a long rotation", { expiresIn: "P1Y", rotation: { rotateBefore: "7d" } }, limited, ["long-lived"]],
  ["an expiry that cannot be read", { expiresAt: "2027-01-31" }, limited, ["long-lived"]],
  ["an expiry that is not known yet", { expiresAt: notKnown }, limited, ["unchecked"]],
  ["a lifetime that is not known yet", { expiresIn: notKnown }, {}, ["unchecked"]],
  ["an adopted token with the live expiry", { adopt: { id: "t1" } }, limited, ["unchecked"]],
  ["an adopted token with a declared one", { adopt: { id: "t1" }, expiresAt: inDays(91) }, limited, ["long-lived"]],
  [
    "a name to come",
    { name: notKnown, expiresIn: "1d", orgCapabilities: rights },
    holders({ name: "x" }),
    ["unchecked"],
  ],
  [
    "a holder by an id that no plan has",
    { expiresIn: "1d", orgCapabilities: rights },
    holders({ id: "t1" }),
    ["unchecked"],
  ],
  [
    "that id, of another stack",
    { expiresIn: "1d", orgCapabilities: rights },
    holders({ id: "t1", stack: "x/y" }),
    ["over-privileged"],
  ],
  [
    "the id of an adopted token",
    { adopt: { id: "t1" }, expiresAt: inDays(1), orgCapabilities: rights },
    holders({ id: "t1" }),
    [],
  ],
  ["an adopted token with a lifetime", { adopt: { id: "t1" }, expiresIn: "1d" }, limited, ["unchecked"]],
  [
    "an adopted token with a rotation",
    { adopt: { id: "t1" }, expiresIn: "30d", rotation: { rotateBefore: "7d" } },
    limited,
    ["unchecked"],
  ],
  ["no such right, and a holder by id", { expiresIn: "1d" }, holders({ id: "t1" }), []],
  ["rights to come", { expiresIn: "1d", orgCapabilities: notKnown }, {}, ["unchecked"]],
  ["a right to come", { expiresIn: "1d", orgCapabilities: { rbac: [notKnown] } }, {}, ["unchecked"]],
  [
    "a known right and one to come",
    { expiresIn: "1d", orgCapabilities: { ...rights, rbac: [notKnown] } },
    {},
    ["over-privileged", "unchecked"],
  ],
  ["rights to come, of a holder", { expiresIn: "1d", orgCapabilities: notKnown }, holders({ stack: "web/*" }), []],
  ["a name that is not known yet", { name: notKnown, expiresIn: "1d" }, { names: ["web-*"] }, ["unchecked"]],
])("%s", (_, inputs, policy, expected) => {
  expect(rulesOf(inputs, policy)).toEqual(expected);
});

test("no message quotes an input, and a secret capability is not even named by the policy's words", () => {
  const policy = { ...limited, names: ["web-*"], rules: {} };
  const inputs = { name: "canary-name", orgCapabilities: { apiTokens: ["create"], "canary-key": ["canary-action"] } };
  const open = judge(inputs, policy).map(({ message }) => message);
  expect(open.join("\n")).toContain("apiTokens:create");
  const secret = judge({ ...inputs, secretInputs: ["orgCapabilities"] }, policy).map(({ message }) => message);
  expect(secret.join("\n")).not.toContain("apiTokens");
  expect([...open, ...secret].join("\n")).not.toContain("canary");
});

const policies = fc.record(
  {
    maxLifetime: fc.constantFrom("30d", "P1Y"),
    names: fc.subarray(["ci-*", "web", "*"], { minLength: 1 }),
    restricted: fc.array(
      fc.record({
        capability: fc.constantFrom("apiTokens:create", "rbac:*"),
        holders: fc.array(fc.constantFrom({ stack: "web/*" }, { stack: "x/y" }, { name: "ci-*" }, { name: "web" })),
      }),
    ),
  },
  { requiredKeys: [] },
);
const specs = fc.record(
  {
    name: fc.constantFrom("ci-1", "web", "other"),
    expiresAt: fc.constantFrom("0001-01-01T00:00:00Z", inDays(20), inDays(40), inDays(900)),
    orgCapabilities: fc.dictionary(fc.constantFrom("apiTokens", "rbac", "users"), fc.subarray(["create", "read"])),
  },
  { requiredKeys: ["name"] },
);

test("a plan is judged as the audit judges the token that comes of it", () => {
  const shared = /^(never-expires|long-lived|over-privileged|misnamed)$/;
  const check = (inputs: { name: string }, policy: object) => {
    const token = { urn, type: "pulumi-nodejs:event-datasets:ApiToken", id: "t1", inputs, outputs: inputs };
    const { findings } = auditTokens({
      baseUrl: "https://api.example.com",
      now: new Date(now),
      policy: { version: 1, ...policy },
      stacks: [readState({ version: 3, deployment: { resources: [token] } }, "web/prod")],
      live: [{ id: "t1", ...inputs }],
    });
    const found = findings.map(({ rule }) => rule).filter((rule) => shared.test(rule));
    expect(rulesOf(inputs, policy).sort()).toEqual(found.sort());
  };
  fc.assert(fc.property(specs, policies, check), { numRuns: runsOf(200) });
});
