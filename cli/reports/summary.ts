import { type AuditResult, type RuleId, severities } from "../../audit";
import { count, visible } from "./text";

/** "2 errors, 1 warning", the kinds that were found only. */
export function findingCounts({ summary }: AuditResult): string {
  const counts = severities.filter((severity) => summary.findings[severity] > 0);
  return counts.length === 0
    ? "no findings"
    : counts.map((severity) => count(summary.findings[severity], severity)).join(", ");
}

/** What was compared and what was left out, so that a silent result can be judged. */
export function scope({ summary, baseUrl, sources }: AuditResult): string {
  const { live, declared, allowed, baselined, resolved, awaitingDeletion } = summary;
  const notes = [
    allowed > 0 && `${allowed} allowed by the policy`,
    baselined > 0 && `${count(baselined, "finding")} known to the baseline`,
    resolved > 0 && `${count(resolved, "entry")} of the baseline no longer found`.replace("entrys", "entries"),
    awaitingDeletion > 0 && `${awaitingDeletion} awaiting deletion`,
  ].filter((note) => note !== false);
  const rest = notes.length > 0 ? ` (${notes.join(", ")})` : "";
  return `${count(live, "live token")} of ${visible(baseUrl)}, ${declared} declared in ${count(sources.length, "state")}${rest}`;
}

/** The one sentence of a result. Only a finished audit without any finding is called clean. */
export function verdict(result: AuditResult): string {
  if (result.findings.length === 0) return `clean: ${scope(result)}`;
  return `${result.failed ? "failed" : "passed"}: ${findingCounts(result)}; ${scope(result)}`;
}

/** The rules that were broken, the worst first. */
export const brokenRules = ({ findings }: AuditResult): readonly RuleId[] => [
  ...new Set(findings.map(({ rule }) => rule)),
];
