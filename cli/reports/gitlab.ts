import type { Report } from "./report";
import { safeJson, visible } from "./text";

const severities = { error: "critical", warning: "minor", note: "info" } as const;

/** A GitLab Code Quality report: what a merge request shows as new and as resolved. */
export const gitlab: Report = function* (result, { location }) {
  let separator = "[\n";
  for (const { rule, severity, message, declared, fingerprint } of result.findings) {
    const issue = {
      description: visible(declared ? `${message} (${declared.stack})` : message),
      check_name: `event-datasets/${rule}`,
      fingerprint,
      severity: severities[severity],
      location: { path: location, lines: { begin: 1 } },
    };
    yield `${separator}  ${safeJson(issue)}`;
    separator = ",\n";
  }
  yield result.findings.length > 0 ? "\n]\n" : "[]\n";
};
