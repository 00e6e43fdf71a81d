import { type AuditResult, type Finding, fails, type RuleId, ruleIds, rules } from "../../audit";
import type { Report } from "./report";
import { visible } from "./text";

/**
 * A test suite a rule, a test case a finding; a rule without findings is one case that passes. Findings that do not fail
 * the audit are cases that pass, told in the suite's output. Fits the schemas of Ant and of Jenkins.
 */
export const junit: Report = function* (result) {
  const byRule = new Map<RuleId, Finding[]>(ruleIds.map((rule) => [rule, []]));
  for (const finding of result.findings) byRule.get(finding.rule)?.push(finding);
  yield '<?xml version="1.0" encoding="UTF-8"?>\n<testsuites>\n';
  let id = 0;
  for (const [rule, findings] of byRule) {
    yield* suite(rule, findings, result, id);
    id += 1;
  }
  yield "</testsuites>\n";
};

function* suite(rule: RuleId, findings: readonly Finding[], result: AuditResult, id: number): Generator<string> {
  const failing = findings.filter(({ severity }) => fails(severity, result.failOn));
  const host = URL.canParse(result.baseUrl) ? new URL(result.baseUrl).hostname : "localhost";
  yield `  <testsuite${attributes({
    name: rule,
    package: "event-datasets.audit",
    id,
    timestamp: result.auditedAt.slice(0, 19),
    hostname: host,
    tests: Math.max(1, findings.length),
    failures: failing.length,
    errors: 0,
    time: 0,
  })}>\n`;
  yield `    <properties><property${attributes({ name: "service", value: result.baseUrl })}/></properties>\n`;
  if (findings.length === 0) yield `    <testcase${attributes(caseOf(rule, `none: ${rules[rule].title}`))}/>\n`;
  for (const finding of findings) yield testcase(finding, fails(finding.severity, result.failOn));
  yield "    <system-out>";
  for (const { severity, message } of findings) {
    if (!fails(severity, result.failOn)) yield `${escapeXml(`${severity}: ${message}`)}\n`;
  }
  yield "</system-out>\n    <system-err></system-err>\n  </testsuite>\n";
}

function testcase({ rule, message, token, declared }: Finding, failing: boolean): string {
  const name = [token.name, token.id && `(${token.id})`, declared && `in ${declared.stack}`].filter(Boolean).join(" ");
  const open = `    <testcase${attributes(caseOf(rule, name || rules[rule].title))}`;
  if (!failing) return `${open}/>\n`;
  const text = escapeXml(declared ? declared.urn : "declared by no audited stack");
  return `${open}><failure${attributes({ type: rule, message })}>${text}</failure></testcase>\n`;
}

const caseOf = (rule: RuleId, name: string) => ({ classname: `event-datasets.audit.${rule}`, name, time: 0 });

const attributes = (values: Readonly<Record<string, string | number>>): string =>
  Object.entries(values)
    .map(([key, value]) => ` ${key}="${escapeXml(String(value))}"`)
    .join("");

const entities: Readonly<Record<string, string>> = {
  "&": "&amp;",
  "<": "&lt;",
  ">": "&gt;",
  '"': "&quot;",
  "'": "&apos;",
};

const escapeXml = (text: string): string => visible(text).replace(/[&<>"']/g, (character) => entities[character] ?? "");
