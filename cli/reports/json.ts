import type { AuditResult } from "../../audit";
import { version } from "../../sdk/version";
import type { Report } from "./report";
import { safeJson } from "./text";

/** Of the published schema. A change that could break a reader raises it. */
export const reportVersion = 1;

/** All of a result but its findings. */
export const head = ({ findings: _, ...rest }: AuditResult) => ({
  version: reportVersion,
  tool: { name: "event-datasets", version },
  ...rest,
});

/** One JSON document: `schemas/audit-report.v1.schema.json`. */
export const json: Report = function* (result) {
  yield `${safeJson(head(result), 2).slice(0, -2)},\n  "findings": [`;
  let separator = "\n    ";
  for (const finding of result.findings) {
    yield `${separator}${safeJson(finding)}`;
    separator = ",\n    ";
  }
  yield result.findings.length > 0 ? "\n  ]\n}\n" : "]\n}\n";
};

/** A line a finding, and last the summary: a reader that does not see it knows that the report is cut off. */
export const ndjson: Report = function* (result) {
  for (const finding of result.findings) yield `${safeJson({ type: "finding", ...finding })}\n`;
  yield `${safeJson({ type: "summary", ...head(result) })}\n`;
};
