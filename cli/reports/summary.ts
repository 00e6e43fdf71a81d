import { type AuditResult, type RuleId, severities } from "../../audit";
import { count } from "../counts";
import { type Line, makeVisible, say } from "../text";
import { shortText } from "./text";

/** "2 errors, 1 warning", without severities that were not found. */
export function findingCounts({ summary }: AuditResult): Line {
  const counts = severities.filter((severity) => summary.findings[severity] > 0);
  return counts.length === 0
    ? say`no findings`
    : makeVisible(counts.map((severity) => count(summary.findings[severity], severity)).join(", "));
}

/** The number of compared tokens, and of findings that were left out. */
export function scopeOf({ summary, baseUrl, sources }: AuditResult): Line {
  const { live, declared, accepted } = summary;
  const rest = accepted > 0 ? ` (${count(accepted, "finding")} accepted by the policy)` : "";
  const states = count(sources.length, "state");
  return say`${count(live, "live token")} of ${shortText(baseUrl)}, ${declared} declared in ${states}${rest}`;
}

/** A result in one sentence. Only a complete audit without any finding is called clean. */
export function verdict(result: AuditResult): Line {
  if (result.findings.length === 0) return say`clean: ${scopeOf(result)}`;
  return say`${result.failed ? "failed" : "passed"}: ${findingCounts(result)}; ${scopeOf(result)}`;
}

/** The rules that were broken, the worst first. */
export const brokenRules = ({ findings }: AuditResult): readonly RuleId[] => [
  ...new Set(findings.map(({ rule }) => rule)),
];
