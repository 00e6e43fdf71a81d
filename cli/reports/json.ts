import type { AuditResult } from "../../audit";
import { version } from "../../sdk/version";
import { join, makeLinesVisible, type Printable } from "../text";
import type { Report } from "./report";
import { reportJson } from "./text";

/** Of the published schema. A change that could break a reader raises it. */
export const reportVersion = 1;

/** All of a result but its findings. */
const headOf = ({ findings: _, ...rest }: AuditResult) => ({
  version: reportVersion,
  tool: { name: "event-datasets", version },
  ...rest,
});

/** One JSON document: `schemas/audit-report.v1.schema.json`. */
export const json: Report = function* (result) {
  // The head's own last line gives way to the list.
  yield makeLinesVisible(`${reportJson(headOf(result), 2).slice(0, -2)},\n  "findings": [`);
  let separator = makeLinesVisible("\n    ");
  for (const finding of result.findings) {
    yield join([separator, reportJson(finding)]);
    separator = makeLinesVisible(",\n    ");
  }
  yield makeLinesVisible(result.findings.length > 0 ? "\n  ]\n}\n" : "]\n}\n");
};

/** A line a finding, and last the summary: a reader that does not see it knows that the report is cut off. */
export const ndjson: Report = function* (result) {
  for (const finding of result.findings) yield lineOf({ type: "finding", ...finding });
  yield lineOf({ type: "summary", ...headOf(result) });
};

const lineOf = (value: object): Printable => join([reportJson(value), makeLinesVisible("\n")]);
