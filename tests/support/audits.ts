import { type AuditOptions, type AuditResult, auditTokens, type Finding } from "../../audit";
import type { Token } from "../../sdk";
import { baseUrl, type RecordedStack, stackOf } from "./states";

/** When the audits of the tests take place. */
export const now = new Date("2026-11-21T12:00:00Z");

/** An expiry that is neither near nor far. */
export const expiresAt = "2027-06-01T00:00:00Z";

/** An audit of live tokens against one stack. */
export const audit = (
  live: readonly Token[],
  recorded: RecordedStack = {},
  more: Partial<AuditOptions> = {},
): AuditResult => auditTokens({ baseUrl, live, stacks: [stackOf(recorded)], now, ...more });

/** What was found, as "missing t1". */
export const rulesOf = (findings: readonly Finding[]): string[] =>
  findings.map(({ rule, token }) => `${rule} ${token.id ?? token.name}`);
