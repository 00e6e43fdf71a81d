import { type Finding, fails, type RuleId, rules } from "../../audit";
import { makeLinesVisible } from "../text";
import { coverageOf, escapeMarkup, messageOf, type Report, shortText, verdict } from "./report";

/**
 * One test suite with one test case per finding, whose class is the rule. Findings that do not fail the audit are cases that
 * pass, and are listed in the output. Without findings the audit is one case that passes. The report is valid according to the
 * schemas of Ant and Jenkins.
 */
export const junit: Report = function* (result) {
  const { findings, baseUrl, auditedAt, failOn } = result;
  const isFailing = ({ severity }: Finding) => fails(severity, failOn);
  const suite = attributes({
    name: "audit",
    package: "event-datasets",
    id: 0,
    timestamp: auditedAt.slice(0, 19),
    hostname: URL.canParse(baseUrl) ? new URL(baseUrl).hostname : "localhost",
    tests: Math.max(1, findings.length),
    failures: findings.filter(isFailing).length,
    errors: 0,
    time: 0,
  });
  const coverage = coverageOf(result).map((value) => ({ name: "coverage", value }));
  const properties = [{ name: "service", value: baseUrl }, ...coverage].map((one) => `<property${attributes(one)}/>`);
  yield makeLinesVisible(`<?xml version="1.0" encoding="UTF-8"?>\n<testsuites>\n  <testsuite${suite}>\n`);
  yield makeLinesVisible(`    <properties>${properties.join("")}</properties>\n`);
  if (findings.length === 0) yield makeLinesVisible(`    <testcase${nameCase("clean", verdict(result))}/>\n`);
  for (const finding of findings) yield makeLinesVisible(testcaseOf(finding, isFailing(finding)));
  yield makeLinesVisible("    <system-out>");
  for (const finding of findings.filter((one) => !isFailing(one)))
    yield makeLinesVisible(`${escapeXml(`${finding.severity}: ${messageOf(finding)}`)}\n`);
  yield makeLinesVisible("</system-out>\n    <system-err></system-err>\n  </testsuite>\n</testsuites>\n");
};

function testcaseOf(finding: Finding, isFailing: boolean): string {
  const { rule, token, declared } = finding;
  const name = [token.name, token.id && `(${token.id})`, declared && `in ${declared.stack}`].filter(Boolean).join(" ");
  const open = `    <testcase${nameCase(rule, name || rules[rule].title)}`;
  if (!isFailing) return `${open}/>\n`;
  const text = escapeXml(declared ? declared.urn : "declared by no audited stack");
  return `${open}><failure${attributes({ type: rule, message: messageOf(finding) })}>${text}</failure></testcase>\n`;
}

const nameCase = (rule: RuleId | "clean", name: string): string =>
  attributes({ classname: `event-datasets.audit.${rule}`, name, time: 0 });

const attributes = (values: Readonly<Record<string, string | number>>): string =>
  Object.entries(values)
    .map(([key, value]) => ` ${key}="${escapeXml(String(value))}"`)
    .join("");

const escapeXml = (text: string): string => escapeMarkup(shortText(text));
