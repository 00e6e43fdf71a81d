import { styleText } from "node:util";
import { type Finding, rules, type Severity, severities } from "../../audit";
import { columnsOf, widthOf } from "../text";
import type { Report } from "./report";
import { brokenRules, verdict } from "./summary";
import { count, visible } from "./text";

const styles = { error: "red", warning: "yellow", note: "dim" } as const;

/** Findings by severity, each with where it is declared below it. Lines fit the terminal; without one they are as long as they are. */
export const table: Report = function* (result, { columns = Number.POSITIVE_INFINITY, colours }) {
  const paint = (style: Parameters<typeof styleText>[0], text: string) =>
    colours ? styleText(style, text, { validateStream: false }) : text;
  const width = Math.max(40, columns);
  const ruleWidth = Math.max(...result.findings.map(({ rule }) => rule.length), 0);
  for (const severity of severities) {
    const group = result.findings.filter((finding) => finding.severity === severity);
    if (group.length === 0) continue;
    yield `${paint(["bold", styles[severity]], headline(severity, group.length))}\n`;
    for (const finding of group) {
      const indent = " ".repeat(ruleWidth + 4);
      const [first = "", ...rest] = details(finding).flatMap((text) => wrap(text, width - indent.length - 1));
      yield `  ${paint(styles[severity], finding.rule.padEnd(ruleWidth))}  ${first}\n`;
      for (const line of rest) yield `${indent}${paint("dim", line)}\n`;
    }
    yield "\n";
  }
  const broken = brokenRules(result);
  if (broken.length > 0) yield `${paint("bold", "WHAT TO DO")}\n`;
  for (const rule of broken) {
    const indent = " ".repeat(ruleWidth + 4);
    const lines = wrap(rules[rule].help, width - indent.length - 1);
    yield `  ${rule.padEnd(ruleWidth)}  ${lines.join(`\n${indent}`)}\n`;
  }
  if (broken.length > 0) yield "\n";
  yield `${paint(result.failed ? "red" : "green", verdict(result))}\n`;
};

const headline = (severity: Severity, many: number): string => count(many, severity).toUpperCase();

function details({ message, token, declared }: Finding): string[] {
  const where = [token.id && `id ${token.id}`, declared && `${declared.urn} (${declared.source})`].filter(Boolean);
  return [visible(message), ...(where.length > 0 ? [visible(where.join(", "))] : [])];
}

/** Lines of a width, broken at spaces where there are any. None of them starts as a command of a CI system does. */
function wrap(text: string, width: number): string[] {
  const lines: string[] = [];
  let rest = text;
  while (widthOf(rest) > width) {
    const cut = cutAt(rest, width);
    const space = rest.lastIndexOf(" ", cut);
    const at = space > width / 3 ? space : cut;
    lines.push(rest.slice(0, at).trimEnd());
    rest = rest.slice(at).trimStart();
  }
  return [...lines, rest].map((line) => (line.startsWith("::") ? `…${line}` : line));
}

/** Where a text is as wide as may be; never in the middle of a character, and never at its start. */
function cutAt(text: string, width: number): number {
  let used = 0;
  let at = 0;
  for (const character of text) {
    used += columnsOf(character);
    if (used > width && at > 0) break;
    at += character.length;
  }
  return at;
}
