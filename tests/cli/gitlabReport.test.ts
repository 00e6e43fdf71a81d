import { expect, test } from "@jest/globals";
import type { AuditResult } from "../../audit";
import { gitlab } from "../../cli/reports/gitlab";
import { auditsAbout } from "../support/audits";

const audit = auditsAbout("undeclared");

const issuesOf = (result: AuditResult) =>
  JSON.parse([...gitlab(result, { columns: undefined, colours: false, location: "infra/Pulumi.yaml" })].join(""));

test("a GitLab report has one issue for each finding, and one for the coverage", () => {
  const issues = issuesOf(audit(["a", "b"].map((id) => ({ id, name: `"${id}"` }))));
  expect(issues).toEqual(
    ["undeclared", "undeclared", "coverage"].map((check) => ({
      description: expect.any(String),
      check_name: `event-datasets/${check}`,
      fingerprint: expect.stringMatching(/^[0-9a-f]{32}$/),
      severity: check === "coverage" ? "info" : "critical",
      location: { path: "infra/Pulumi.yaml", lines: { begin: 1 } },
    })),
  );
  expect(new Set(issues.map(({ fingerprint }: { fingerprint: string }) => fingerprint)).size).toBe(3);
});

test("the coverage is a new issue if other stacks are read, but not at a later time", () => {
  const fingerprintOf = (stack: Partial<AuditResult["coverage"]["stacks"][number]>) => {
    const result = audit([]);
    const stacks = result.coverage.stacks.map((one) => ({ ...one, ...stack }));
    const [issue, ...others] = issuesOf({ ...result, coverage: { ...result.coverage, stacks } });
    expect(others).toEqual([]);
    return issue.fingerprint;
  };
  expect(fingerprintOf({ time: "2027-01-01T00:00:00Z", tokens: 5 })).toBe(fingerprintOf({}));
  expect(fingerprintOf({ stack: "other" })).not.toBe(fingerprintOf({}));
  expect(fingerprintOf({ insteadOf: "it is damaged" })).not.toBe(fingerprintOf({}));
});
