import {
  type AuditOptions,
  type AuditResult,
  auditTokens,
  type Exception,
  type Finding,
  type RuleId,
  ruleIds,
} from "../../audit";
import type { Token } from "../../sdk";
import { baseUrl, credential, type RecordedStack, stackOf } from "./states";

/** When the audits of the tests take place. */
export const now = new Date("2026-11-21T12:00:00Z");

/** An expiry that is neither near nor far. */
export const expiresAt = "2027-06-01T00:00:00Z";

type Audit = (live: readonly Token[], recorded?: RecordedStack, more?: Partial<AuditOptions>) => AuditResult;

/**
 * Audits of live tokens against one stack that look for some rules only: what a rule finds that is added later is no
 * matter to the tests of the others.
 */
export const auditsAbout =
  (...about: readonly RuleId[]): Audit =>
  (live, recorded = {}, { policy, ...more } = {}) =>
    auditTokens({
      baseUrl,
      credential,
      live,
      stacks: [stackOf(recorded)],
      now,
      policy: { version: 1, ...policy, rules: { ...rulesOff(about), ...policy?.rules } },
      ...more,
    });

/** The settings of a policy that leave only these rules on. */
export const rulesOff = (about: readonly RuleId[]) =>
  Object.fromEntries(ruleIds.filter((rule) => !about.includes(rule)).map((rule) => [rule, "off"]));

/** Exceptions that accept findings as they are. */
export const accepting = (findings: readonly Finding[]): Exception[] =>
  findings.map(({ fingerprint }) => ({ fingerprint, owner: "ops", reason: "known", until: "2999-12-31" }));

/** The findings, as "missing t1". */
export const rulesOf = (findings: readonly Finding[]): string[] =>
  findings.map(({ rule, token }) => `${rule} ${token.id ?? token.name}`);
