import { type Finding, rules, severities } from "../../audit";
import { count } from "../counts";
import { makeLinesVisible, type Printable, say, workflowCommand } from "../text";
import { coverageOf } from "./coverage";
import type { Report } from "./report";
import { verdict } from "./summary";
import { messageOf, shortText } from "./text";

const commands = { error: "error", warning: "warning", note: "notice" } as const;

/** GitHub shows this many annotations of a kind from one step. */
const mostOfAKind = 10;

/** Workflow commands that annotate the run, the worst findings first. The step summary has the whole list. */
export const github: Report = function* (result, { location }) {
  for (const severity of severities) {
    const group = result.findings.filter((finding) => finding.severity === severity);
    for (const finding of group.slice(0, mostOfAKind)) yield annotationOf(finding, location);
    const more = group.length - mostOfAKind;
    if (more > 0) yield makeLinesVisible(`${count(more, severity)} more: see the summary of the step\n`);
  }
  yield makeLinesVisible(`audit ${verdict(result)}\n`);
  for (const text of coverageOf(result)) yield makeLinesVisible(`audit ${text}\n`);
};

function annotationOf(finding: Finding, file: string): Printable {
  const { rule, severity, declared } = finding;
  const properties = { file, line: "1", title: `${rule}: ${rules[rule].title}` };
  const message = declared ? say`${messageOf(finding)} (${shortText(declared.urn)})` : messageOf(finding);
  return workflowCommand(commands[severity], properties, message);
}
