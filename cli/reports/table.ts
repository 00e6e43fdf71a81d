import { type Finding, rules } from "../../audit";
import { count, join, type Line, makeLinesVisible, makeVisible, type Printable, paint, say } from "../text";
import { wrap } from "../width";
import { brokenRules, coverageOf, messageOf, type Report, shortText, verdict } from "./report";

const styles = { error: "red", warning: "yellow", note: "dim" } as const;

/** The narrowest terminal that the lines are made to fit. */
const narrowest = 40;

/**
 * Findings by severity, each with its declaration below it. Lines are wrapped to the width of a terminal. Ids are never broken,
 * because users copy them into commands.
 */
export const table: Report = function* (result, { columns = Number.POSITIVE_INFINITY, colours }) {
  const colour = (style: Parameters<typeof paint>[0], text: Line): Printable => (colours ? paint(style, text) : text);
  const width = Math.max(narrowest, columns);
  const ruleWidth = Math.max(...result.findings.map(({ rule }) => rule.length), 0);
  const indent = makeVisible(" ".repeat(ruleWidth + 4));
  const room = width - indent.length - 1;
  const nameRule = (rule: string): Line => makeVisible(`  ${rule.padEnd(ruleWidth)}  `);
  for (const [severity, group] of Map.groupBy(result.findings, ({ severity }) => severity)) {
    yield line(colour(["bold", styles[severity]], makeVisible(count(group.length, severity).toUpperCase())));
    for (const finding of group) {
      const [first = makeVisible(""), ...rest] = wrap(messageOf(finding), room);
      yield line(colour(styles[severity], nameRule(finding.rule)), first);
      for (const text of [...rest, ...placeOf(finding, room)]) yield line(indent, colour("dim", text));
    }
    yield line();
  }
  const broken = brokenRules(result);
  if (broken.length > 0) yield line(colour("bold", say`WHAT TO DO`));
  for (const rule of broken) {
    const [first = makeVisible(""), ...rest] = wrap(makeVisible(rules[rule].help), room);
    yield line(nameRule(rule), first);
    for (const text of rest) yield line(indent, text);
  }
  if (broken.length > 0) yield line();
  for (const text of coverageOf(result)) for (const part of wrap(text, width - 1)) yield line(colour("dim", part));
  yield line();
  yield line(colour(result.failed ? "red" : "green", verdict(result)));
};

const line = (...parts: readonly Printable[]): Printable => join([...parts, makeLinesVisible("\n")]);

/** The token's id, unbroken, and its declaration. */
function placeOf({ token, declared }: Finding, width: number): Line[] {
  const id = token.id === undefined ? [] : [say`id ${token.id}`];
  const place = declared ? wrap(say`${shortText(declared.urn)} (${shortText(declared.source)})`, width) : [];
  return [...id, ...place];
}
