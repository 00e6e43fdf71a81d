import { join, makeLinesVisible, say } from "../text";
import type { Report } from "./report";
import { messageOf, reportJson, shortText } from "./text";

const severities = { error: "critical", warning: "minor", note: "info" } as const;

/** A GitLab Code Quality report: what a merge request shows as new and as resolved. */
export const gitlab: Report = function* (result, { location }) {
  let separator = makeLinesVisible("[\n  ");
  for (const finding of result.findings) {
    const { rule, severity, declared, fingerprint } = finding;
    const issue = {
      description: declared ? say`${messageOf(finding)} (${shortText(declared.stack)})` : messageOf(finding),
      check_name: `event-datasets/${rule}`,
      fingerprint,
      severity: severities[severity],
      location: { path: location, lines: { begin: 1 } },
    };
    yield join([separator, reportJson(issue)]);
    separator = makeLinesVisible(",\n  ");
  }
  yield makeLinesVisible(result.findings.length > 0 ? "\n]\n" : "[]\n");
};
