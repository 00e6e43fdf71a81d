import { ApiToken, getTokensOutput } from "pulumi-event-datasets";
import { auditTokens, type Policy } from "pulumi-event-datasets/audit";

// The access token of the audit in CI: it may list tokens, and nothing else.
const auditor = new ApiToken("auditor", {
  description: "Audits tokens in CI",
  orgCapabilities: { apiTokens: ["read"] },
  expiresIn: "90d",
  rotation: { rotateBefore: "14d" },
});

// The same rules in a program. The program reads no states, so the rule `undeclared` is off; the command checks it.
const policy: Policy = { version: 1, rules: { undeclared: "off" }, expiringWithin: "30d" };
const baseUrl = process.env.EVENT_DATASETS_BASE_URL ?? "";

export const auditorToken = auditor.token;
export const findings = getTokensOutput({}, { dependsOn: auditor }).tokens.apply((live) =>
  auditTokens({ baseUrl, live, stacks: [], policy }).findings.map(({ rule, message }) => `${rule}: ${message}`),
);
