import type { AuditResult } from "../../audit";
import { version } from "../../sdk/version";
import { join, makeLinesVisible } from "../text";
import type { Report } from "./report";
import { reportJson } from "./text";

/** Version of the published schema. Every incompatible change increases it. */
export const reportVersion = 1;

/** A result without its findings. */
const headOf = ({ findings: _, ...rest }: AuditResult) => ({
  version: reportVersion,
  tool: { name: "event-datasets", version },
  ...rest,
});

/** One JSON document: `schemas/audit-report.v1.json`. */
export const json: Report = function* (result) {
  // The list takes the place of the last brace.
  yield makeLinesVisible(`${reportJson(headOf(result), 2).slice(0, -2)},\n  "findings": [`);
  let separator = makeLinesVisible("\n    ");
  for (const finding of result.findings) {
    yield join([separator, reportJson(finding)]);
    separator = makeLinesVisible(",\n    ");
  }
  yield makeLinesVisible(result.findings.length > 0 ? "\n  ]\n}\n" : "]\n}\n");
};
