import type { AuditResult } from "../../audit";
import { fingerprintOf } from "../../audit/findings";
import { nameOf } from "../../audit/identity";
import { join, makeLinesVisible, makeVisible, say } from "../text";
import { coverageOf } from "./coverage";
import type { Report } from "./report";
import { messageOf, reportJson, shortText } from "./text";

const severities = { error: "critical", warning: "minor", note: "info" } as const;

/** A GitLab Code Quality report: a merge request shows its new and its resolved issues. */
export const gitlab: Report = function* (result, { location }) {
  let separator = makeLinesVisible("[\n  ");
  for (const issue of issuesOf(result)) {
    yield join([separator, reportJson({ ...issue, location: { path: location, lines: { begin: 1 } } })]);
    separator = makeLinesVisible(",\n  ");
  }
  yield makeLinesVisible("\n]\n");
};

function* issuesOf(result: AuditResult): Generator<object> {
  for (const finding of result.findings) {
    const { rule, severity, declared, fingerprint } = finding;
    yield {
      description: declared ? say`${messageOf(finding)} (${shortText(declared.stack)})` : messageOf(finding),
      check_name: `event-datasets/${rule}`,
      fingerprint,
      severity: severities[severity],
    };
  }
  // The format has issues only. A merge request shows the issue as new if the audited stacks change.
  yield {
    description: makeVisible(coverageOf(result).join("; ")),
    check_name: "event-datasets/coverage",
    fingerprint: fingerprintOf(["coverage", ...identityOf(result.coverage)]),
    severity: "info",
  };
}

/** The coverage without times and counts, which change from one audit to the next. */
const identityOf = ({ wanted, stacks, unused }: AuditResult["coverage"]) => [
  wanted,
  stacks.map((stack) => [stack.backend, nameOf(stack), stack.insteadOf === undefined ? "" : stack.source]).sort(),
  unused.map(({ source }) => source).sort(),
];
