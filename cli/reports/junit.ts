import { type AuditResult, type Finding, fails, type RuleId, rules } from "../../audit";
import { makeLinesVisible, type Printable } from "../text";
import { coverageOf } from "./coverage";
import type { Report } from "./report";
import { brokenRules, escapeMarkup, messageOf, shortText, verdict } from "./words";

/**
 * One test suite per broken rule, and one test case per finding. Findings that do not fail the audit are cases that pass, and are
 * listed in the suite's output. Without findings the audit is one case that passes. Valid by the schemas of Ant and Jenkins.
 */
export const junit: Report = function* (result) {
  const broken = brokenRules(result);
  yield makeLinesVisible('<?xml version="1.0" encoding="UTF-8"?>\n<testsuites>\n');
  for (const [id, rule] of (broken.length > 0 ? broken : (["clean"] as const)).entries()) {
    const findings = result.findings.filter((finding) => finding.rule === rule);
    yield* suiteOf(rule, findings, result, id);
  }
  yield makeLinesVisible("</testsuites>\n");
};

/** A broken rule, or none. */
type Suite = RuleId | "clean";

function* suiteOf(rule: Suite, findings: readonly Finding[], result: AuditResult, id: number): Generator<Printable> {
  const failing = findings.filter(({ severity }) => fails(severity, result.failOn));
  const host = URL.canParse(result.baseUrl) ? new URL(result.baseUrl).hostname : "localhost";
  yield makeLinesVisible(
    `  <testsuite${attributes({
      name: rule,
      package: "event-datasets.audit",
      id,
      timestamp: result.auditedAt.slice(0, 19),
      hostname: host,
      tests: Math.max(1, findings.length),
      failures: failing.length,
      errors: 0,
      time: 0,
    })}>\n`,
  );
  const coverage = id === 0 ? coverageOf(result).map((value) => ({ name: "coverage", value })) : [];
  const properties = [{ name: "service", value: result.baseUrl }, ...coverage];
  yield makeLinesVisible(
    `    <properties>${properties.map((one) => `<property${attributes(one)}/>`).join("")}</properties>\n`,
  );
  if (rule === "clean") yield makeLinesVisible(`    <testcase${attributes(caseOf(rule, verdict(result)))}/>\n`);
  for (const finding of findings) yield makeLinesVisible(testcaseOf(finding, fails(finding.severity, result.failOn)));
  yield makeLinesVisible("    <system-out>");
  for (const finding of findings) {
    const { severity } = finding;
    if (!fails(severity, result.failOn)) yield makeLinesVisible(`${escapeXml(`${severity}: ${messageOf(finding)}`)}\n`);
  }
  yield makeLinesVisible("</system-out>\n    <system-err></system-err>\n  </testsuite>\n");
}

function testcaseOf(finding: Finding, isFailing: boolean): string {
  const { rule, token, declared } = finding;
  const name = [token.name, token.id && `(${token.id})`, declared && `in ${declared.stack}`].filter(Boolean).join(" ");
  const open = `    <testcase${attributes(caseOf(rule, name || rules[rule].title))}`;
  if (!isFailing) return `${open}/>\n`;
  const text = escapeXml(declared ? declared.urn : "declared by no audited stack");
  return `${open}><failure${attributes({ type: rule, message: messageOf(finding) })}>${text}</failure></testcase>\n`;
}

const caseOf = (rule: Suite, name: string) => ({ classname: `event-datasets.audit.${rule}`, name, time: 0 });

const attributes = (values: Readonly<Record<string, string | number>>): string =>
  Object.entries(values)
    .map(([key, value]) => ` ${key}="${escapeXml(String(value))}"`)
    .join("");

const escapeXml = (text: string): string => escapeMarkup(shortText(text));
