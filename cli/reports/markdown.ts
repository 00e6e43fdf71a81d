import { type Finding, rules, severities } from "../../audit";
import type { Report } from "./report";
import { brokenRules, verdict } from "./summary";
import { count, visible } from "./text";

/** A comment on GitHub holds 65,536 characters. */
const longest = 60_000;

/**
 * What people paste into a pull request. Everything that comes from the service stands in code spans: in those neither
 * Markdown nor HTML, neither links nor mentions mean anything.
 */
export const markdown: Report = function* (result) {
  const title = result.findings.length === 0 ? "clean" : result.failed ? "failed" : "passed";
  let length = 0;
  let shown = 0;
  const sized = (text: string) => {
    length += text.length;
    return text;
  };
  yield sized(`## API tokens: ${title}\n\n${code(verdict(result))}\n`);
  for (const severity of severities) {
    const group = result.findings.filter((finding) => finding.severity === severity);
    if (group.length === 0 || length > longest) continue;
    yield sized(`\n### ${count(group.length, severity)}\n\n`);
    for (const finding of group) {
      if (length > longest) break;
      yield sized(item(finding));
      shown += 1;
    }
  }
  if (shown < result.findings.length) yield `\n… and ${count(result.findings.length - shown, "finding")} more.\n`;
  const broken = brokenRules(result);
  if (broken.length === 0) return;
  yield "\n<details><summary>What to do</summary>\n\n";
  for (const rule of broken) yield `- **${rule}**: ${rules[rule].help}\n`;
  yield "\n</details>\n";
};

function item({ rule, message, token, declared }: Finding): string {
  const where = [token.id && `id ${code(token.id)}`, declared && `stack ${code(declared.stack)}`].filter(Boolean);
  return `- **${rule}** ${code(message)}${where.length > 0 ? ` (${where.join(", ")})` : ""}\n`;
}

/** A code span that its content cannot end: its fence is longer than any run of backticks in it. */
export function code(text: string): string {
  const content = visible(text);
  const runs = content.match(/`+/g) ?? [];
  const fence = "`".repeat(Math.max(0, ...runs.map((run) => run.length)) + 1);
  return content.includes("`") || content.trim() === "" ? `${fence} ${content} ${fence}` : `${fence}${content}${fence}`;
}
