import { version } from "../../sdk/version";
import { join, makeLinesVisible, reportJson } from "../text";
import type { Report } from "./report";

/** Version of the published schema. Every incompatible change increases it. */
const reportVersion = 1;

/** One JSON document: `schemas/audit-report.v1.json`. Each finding is a line, so that a long report need not fit into memory. */
export const json: Report = function* ({ findings, ...rest }) {
  const head = { version: reportVersion, tool: { name: "event-datasets", version }, ...rest };
  // The list takes the place of the last brace.
  yield makeLinesVisible(`${reportJson(head, 2).slice(0, -2)},\n  "findings": [`);
  for (const [at, finding] of findings.entries())
    yield join([makeLinesVisible(at === 0 ? "\n    " : ",\n    "), reportJson(finding)]);
  yield makeLinesVisible(findings.length > 0 ? "\n  ]\n}\n" : "]\n}\n");
};
