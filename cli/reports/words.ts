import { type AuditResult, type Finding, type RuleId, severities } from "../../audit";
import { count } from "../counts";
import { type Line, makeVisible, say } from "../text";
import { shortenMiddle } from "../width";

/** The greatest lengths of foreign texts in a report for people, in characters. */
const longest = { name: 100, message: 700, place: 500 } as const;

/** A name or a place in a report for people. */
export const shortText = (text: string): Line => makeVisible(shortenMiddle(text, longest.place));

/** The message of a finding, in which a long name is shortened so that the verdict stays visible. */
export function messageOf({ message, token: { name = "" } }: Pick<Finding, "message" | "token">): Line {
  const text = name.length > longest.name ? message.replaceAll(name, () => shortenMiddle(name, longest.name)) : message;
  return makeVisible(shortenMiddle(text, longest.message));
}

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

const entities: Readonly<Record<string, string>> = {
  "&": "&amp;",
  "<": "&lt;",
  ">": "&gt;",
  '"': "&quot;",
  "'": "&#39;",
};

/** Text as text in HTML and XML, in an element and in a quoted attribute. */
export const escapeMarkup = (text: string): string =>
  makeVisible(text).replace(/[&<>"']/g, (character) => entities[character] ?? "");
