import type { AuditResult, CoveredStack } from "../../audit";
import { nameOf } from "../../audit/identity";
import { count } from "../counts";
import { type Line, say } from "../text";
import { shortText } from "./words";

/** The most stacks in a report for people; a JSON report has all. */
const mostShown = 100;

/**
 * Lines with the policy and the stacks that were read, with the sources of their states.
 * @param room the characters that all of the stacks may take
 */
export function coverageOf({ coverage, policy }: AuditResult, room = Number.POSITIVE_INFINITY): Line[] {
  const { stacks } = coverage;
  const lines = stacks.slice(0, mostShown).map(describe).map(shortText);
  let length = 0;
  const isWithin = (line: Line) => {
    length += line.length;
    return length <= room;
  };
  const shown = lines.filter(isWithin);
  const left = stacks.length - shown.length;
  return [
    ...[`policy: ${policy}`, `read: ${extentOf(coverage)}`].map(shortText),
    ...shown,
    ...(left > 0 ? [say`… and ${count(left, "more stack")}: see the JSON report`] : []),
  ];
}

function extentOf({ wanted, stacks }: AuditResult["coverage"]): string {
  if (wanted === "named") return `${count(stacks.length, "stack")}, named by options; other stacks were not read`;
  const listed = stacks.filter(({ unlisted }) => !unlisted).length;
  const others = stacks.length - listed;
  const rest = others > 0 ? `, and ${count(others, "file")} of stacks that it does not list` : "";
  return `${count(listed, "stack")}, all that the Pulumi CLI lists${rest}`;
}

function describe(state: CoveredStack): string {
  const { source, origin, backend, time, tokens, insteadOf, lineage, serial } = state;
  if (origin === "terraform") {
    const which = lineage === undefined ? "" : ` (lineage ${lineage}, serial ${serial})`;
    return `Terraform from the file ${source}${which}, ${count(tokens, "token")}`;
  }
  const from = origin === "file" ? `the file ${source}` : "an export";
  return [
    `${nameOf(state)}${backend === undefined ? "" : ` of ${backend}`} from ${from}`,
    time === undefined ? "without a time" : `as of ${time}`,
    count(tokens, "token"),
    ...(insteadOf === undefined ? [] : [`instead of the stack: ${insteadOf}`]),
  ].join(", ");
}
