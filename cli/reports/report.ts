import { type AuditResult, type CoveredStack, type Finding, type RuleId, severities } from "../../audit";
import { nameOf } from "../../audit/identity";
import { count, type Line, makeVisible, type Printable, say } from "../text";
import { shortenMiddle } from "../width";

/** The input of a report in addition to the result. */
export interface ReportOptions {
  /** Width of the terminal; undefined if the report goes elsewhere. */
  readonly columns: number | undefined;
  readonly colours: boolean;
  /** The project file, for formats that must name a file of the repository: a relative URI. */
  readonly location: string;
}

/** Renders a result piece by piece, so that a long report need not fit into memory. */
export type Report = (result: AuditResult, options: ReportOptions) => Iterable<Printable>;

/** The greatest lengths of foreign texts in a report for people, in characters. */
const longest = { name: 100, message: 700, place: 500 } as const;

/** Shortens a name or a place for a report that people read. */
export const shortText = (text: string): Line => makeVisible(shortenMiddle(text, longest.place));

/** The message of a finding, in which a long name is shortened so that the verdict stays visible. */
export function messageOf({ message, token: { name = "" } }: Pick<Finding, "message" | "token">): Line {
  const text = name.length > longest.name ? message.replaceAll(name, () => shortenMiddle(name, longest.name)) : message;
  return makeVisible(shortenMiddle(text, longest.message));
}

/** "2 errors, 1 warning", without severities that have no findings. */
function findingCounts({ summary }: AuditResult): Line {
  const counts = severities.filter((severity) => summary.findings[severity] > 0);
  return counts.length === 0
    ? say`no findings`
    : makeVisible(counts.map((severity) => count(summary.findings[severity], severity)).join(", "));
}

/** How many tokens were compared, and how many findings were left out. */
function scopeOf({ summary, baseUrl, sources }: AuditResult): Line {
  const { live, declared, accepted } = summary;
  const rest = accepted > 0 ? ` (${count(accepted, "finding")} accepted by the policy)` : "";
  const states = count(sources.length, "state");
  return say`${count(live, "live token")} of ${shortText(baseUrl)}, ${declared} declared in ${states}${rest}`;
}

/** A result in one sentence. Only an audit without any finding is called clean. */
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

/** Escapes text for HTML and XML, in an element or in a quoted attribute. */
export const escapeMarkup = (text: string): string =>
  makeVisible(text).replace(/[&<>"']/g, (character) => entities[character] ?? "");

/** The most stacks in a report for people; a JSON report has all. */
const mostShown = 100;

/**
 * Lines with the policy and the stacks that were read, with the sources of their states.
 * @param room the characters that all of the stacks may take
 */
export function coverageOf({ coverage, policy }: AuditResult, room = Number.POSITIVE_INFINITY): Line[] {
  const { stacks } = coverage;
  const lines = stacks.slice(0, mostShown).map(describe).map(shortText);
  let length = 0;
  const isWithin = (line: Line) => {
    length += line.length;
    return length <= room;
  };
  const shown = lines.filter(isWithin);
  const left = stacks.length - shown.length;
  return [
    ...[`policy: ${policy}`, `read: ${extentOf(coverage)}`].map(shortText),
    ...shown,
    ...(left > 0 ? [say`… and ${count(left, "more stack")}: see the JSON report`] : []),
  ];
}

function extentOf({ wanted, stacks }: AuditResult["coverage"]): string {
  if (wanted === "named") return `${count(stacks.length, "stack")}; other stacks were not read`;
  const listed = stacks.filter(({ unlisted }) => !unlisted).length;
  const others = stacks.length - listed;
  const rest = others > 0 ? `, and ${count(others, "file")} of stacks that it does not list` : "";
  return `${count(listed, "stack")}, all that the Pulumi CLI lists${rest}`;
}

function describe(state: CoveredStack): string {
  const { source, origin, backend, time, tokens, insteadOf, lineage, serial } = state;
  if (origin === "terraform") {
    const which = lineage === undefined ? "" : ` (lineage ${lineage}, serial ${serial})`;
    return `Terraform from the file ${source}${which}, ${count(tokens, "token")}`;
  }
  const from = origin === "file" ? `the file ${source}` : "an export";
  return [
    `${nameOf(state)}${backend === undefined ? "" : ` of ${backend}`} from ${from}`,
    time === undefined ? "without a time" : `as of ${time}`,
    count(tokens, "token"),
    ...(insteadOf === undefined ? [] : [`instead of the stack: ${insteadOf}`]),
  ].join(", ");
}
