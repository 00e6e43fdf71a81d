import { expect, test } from "@jest/globals";
import type { Token } from "../../sdk";
import { auditsAbout, expiresAt } from "../support/audits";
import { encrypted } from "../support/states";

const audit = auditsAbout("escalated", "changed", "hidden-capabilities", "hidden-expiry");

const result = (
  declared: object,
  live: Partial<Token>,
  outputs: Record<string, unknown> = {},
  record: Record<string, unknown> = {},
) =>
  audit([{ id: "t1", name: "ci", expiresAt, ...live }], {
    tokens: [{ id: "t1", name: "ci", inputs: { expiresAt, ...declared }, outputs, record }],
  });

const told = (...args: Parameters<typeof result>) =>
  result(...args).findings.map(({ rule, message }) => `${rule}: ${message.replace(/^API token "ci"/, "it")}`);

test.each<[string, object, Partial<Token>]>([
  ["capabilities", { orgCapabilities: encrypted }, { orgCapabilities: { users: ["read"] } }],
  ["one action", { orgCapabilities: { users: [encrypted] } }, { orgCapabilities: { users: ["create"] } }],
])("a live token that holds what could not be compared fails the audit: %s", (_, declared, live) => {
  const { findings, failed } = result(declared, live);
  expect(findings).toMatchObject([{ rule: "hidden-capabilities", severity: "error", token: { id: "t1" } }]);
  expect(failed).toBe(true);
  expect(JSON.stringify(findings)).not.toContain("ciphertext");
});

test.each([expiresAt, ""])(
  "a secret expiry has a rule of its own: as a warning, it lets no gained right pass (%j)",
  (end) => {
    const rule = "hidden-expiry";
    expect(result({ expiresAt: encrypted }, { expiresAt: end })).toMatchObject({
      findings: [
        {
          rule,
          severity: "error",
          message: expect.stringContaining(
            ": expiresAt cannot be compared, because the declared value is encrypted in the state",
          ),
        },
      ],
    });
    const live = { id: "t1", name: "ci", expiresAt: end, orgCapabilities: { rbac: ["create"] } };
    const inputs = { expiresAt: encrypted, orgCapabilities: encrypted };
    const policy = { version: 1, rules: { [rule]: "warning" } } as const;
    expect(audit([live], { tokens: [{ id: "t1", name: "ci", inputs }] }, { policy })).toMatchObject({
      findings: [
        {
          rule: "hidden-capabilities",
          severity: "error",
          message: expect.stringContaining(": orgCapabilities cannot be compared"),
        },
        { rule, severity: "warning" },
      ],
      failed: true,
    });
  },
);

test("an encrypted text, and rights that the live token does not hold, are no finding: they grant nothing", () => {
  expect(result({ description: encrypted, orgCapabilities: encrypted }, { description: "live" })).toMatchObject({
    findings: [],
    failed: false,
  });
});

test("what can be read of an encrypted field allows what it says", () => {
  const declared = { orgCapabilities: { users: ["read"], flows: encrypted } };
  expect(told(declared, { orgCapabilities: { users: ["read"] } })).toEqual([]);
  expect(told({ expiresAt: encrypted }, {}, { expiresAt })).toEqual([]);
  expect(told({ expiresAt: encrypted }, {}, { expiresAt: "2027-05-01T00:00:00Z" })).toEqual([
    expect.stringMatching(/^escalated: .* expiresAt is 2027-06-01/),
  ]);
});

test("one encrypted member hides no other: not a declared one, and not one of those that the service gave", () => {
  const live = { description: "live", expiresAt: "2027-07-01T00:00:00Z", orgCapabilities: { users: ["create"] } };
  const escalated = expect.stringMatching(/^escalated: .*: expiresAt is .*; orgCapabilities gained users:create$/);
  expect(told({ description: encrypted }, live)).toEqual([escalated]);
  const given = { description: encrypted };
  expect(told({ description: "x" }, live, given, { declared: given })).toEqual([escalated]);
  expect(told({ description: "x" }, live, { secretRecord: encrypted })).toEqual([escalated]);
  expect(told({ description: "x" }, live, { record: encrypted })).toEqual([escalated]);
});

test.each(["orgCapabilities", "datasetCapabilities", "expiresAt"])(
  "what the service sends in a shape that nobody knows fails the audit, wherever the token is known from: %s",
  (field) => {
    const odd = { odd: { [field]: "expected something else" } } as Partial<Token>;
    const { findings, failed } = result({}, odd);
    expect(findings[0]).toMatchObject({
      rule: field === "expiresAt" ? "hidden-expiry" : "hidden-capabilities",
      message: expect.stringContaining(`${field} cannot be compared, because the service`),
    });
    expect(failed).toBe(true);
    const live = { id: "t1", name: "ci", expiresAt, ...odd };
    const exception = { id: "t1", owner: "o", reason: "r", until: "2027-01-31", expiresAt };
    const policy = { version: 1 as const, exceptions: [exception] };
    expect(auditsAbout("undeclared")([live], {}, { policy }).failed).toBe(true);
    expect(auditsAbout("undeclared")([{ ...live, odd: {} } as Token], {}, { policy }).failed).toBe(false);
  },
);
