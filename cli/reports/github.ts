import { type Finding, rules, severities } from "../../audit";
import type { Report } from "./report";
import { verdict } from "./summary";
import { count, visible } from "./text";

const commands = { error: "error", warning: "warning", note: "notice" } as const;

/** GitHub shows this many annotations of a kind from one step. */
const mostOfAKind = 10;

/** Workflow commands that annotate the run, the worst findings first. The whole list belongs into the step summary. */
export const github: Report = function* (result, { location }) {
  for (const severity of severities) {
    const group = result.findings.filter((finding) => finding.severity === severity);
    for (const finding of group.slice(0, mostOfAKind)) yield annotation(finding, location);
    const more = group.length - mostOfAKind;
    if (more > 0) yield `${count(more, severity)} more: see the summary of the step\n`;
  }
  yield `audit ${visible(verdict(result))}\n`;
};

function annotation({ rule, severity, message, declared }: Finding, file: string): string {
  const properties = { file, line: "1", title: `${rule}: ${rules[rule].title}` };
  const list = Object.entries(properties).map(([key, value]) => `${key}=${escapeProperty(value)}`);
  const where = declared ? ` (${declared.urn})` : "";
  return `::${commands[severity]} ${list.join(",")}::${escapeData(visible(message) + visible(where))}\n`;
}

/** The escapes of a workflow command, beside those of `visible`: a command ends with its line. */
const escapeData = (text: string): string =>
  text.replaceAll("%", "%25").replaceAll("\r", "%0D").replaceAll("\n", "%0A");

const escapeProperty = (text: string): string =>
  escapeData(visible(text)).replaceAll(":", "%3A").replaceAll(",", "%2C");
