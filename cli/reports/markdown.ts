import { type Finding, rules } from "../../audit";
import { count, type Line, makeLinesVisible } from "../text";
import { brokenRules, coverageOf, messageOf, type Report, shortText, verdict } from "./report";

/** A comment on GitHub holds 65,536 characters: for the findings, and for the stacks after them. The advice takes the rest. */
const longest = { findings: 48_000, stacks: 8_000 } as const;

/**
 * A report for comments on pull requests. All text from the service is in code spans, where Markdown, HTML, links and mentions have
 * no effect.
 */
export const markdown: Report = function* (result) {
  const title = result.findings.length === 0 ? "clean" : result.failed ? "failed" : "passed";
  let length = 0;
  let shown = 0;
  yield makeLinesVisible(`## API tokens: ${title}\n\n${codeSpan(verdict(result))}\n`);
  for (const [severity, group] of Map.groupBy(result.findings, ({ severity }) => severity)) {
    if (length > longest.findings) break;
    yield makeLinesVisible(`\n### ${count(group.length, severity)}\n\n`);
    for (const finding of group) {
      if (length > longest.findings) break;
      const item = itemOf(finding);
      length += item.length;
      yield makeLinesVisible(item);
      shown += 1;
    }
  }
  const left = result.findings.length - shown;
  if (left > 0) yield makeLinesVisible(`\n… and ${count(left, "more finding")}.\n`);
  yield makeLinesVisible("\n<details><summary>Stacks and policy</summary>\n\n");
  for (const text of coverageOf(result, longest.stacks)) yield makeLinesVisible(`- ${codeSpan(text)}\n`);
  yield makeLinesVisible("\n</details>\n");
  const broken = brokenRules(result);
  if (broken.length === 0) return;
  yield makeLinesVisible("\n<details><summary>Advice</summary>\n\n");
  for (const rule of broken) yield makeLinesVisible(`- **${rule}**: ${rules[rule].help}\n`);
  yield makeLinesVisible("\n</details>\n");
};

function itemOf(finding: Finding): string {
  const { rule, token, declared } = finding;
  const where = [
    token.id && `id ${codeSpan(shortText(token.id))}`,
    declared && `stack ${codeSpan(shortText(declared.stack))}`,
  ].filter(Boolean);
  return `- **${rule}** ${codeSpan(messageOf(finding))}${where.length > 0 ? ` (${where.join(", ")})` : ""}\n`;
}

/** A code span whose fence is longer than any run of backticks in its content. */
export function codeSpan(content: Line): string {
  const runs = content.match(/`+/g) ?? [];
  const fence = "`".repeat(Math.max(0, ...runs.map((run) => run.length)) + 1);
  return content.includes("`") || content.trim() === "" ? `${fence} ${content} ${fence}` : `${fence}${content}${fence}`;
}
