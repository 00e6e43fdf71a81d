import type { AuditResult, CoveredStack } from "../../audit";
import { nameOf } from "../../audit/identity";
import { count } from "../counts";
import type { Line } from "../text";
import { shortText } from "./text";

/** The most stacks in a report for people; a JSON report has all. */
const mostShown = 100;

/** Lines with the policy and the stacks that were read, with the sources of their states. */
export function coverageOf({ coverage, policy }: AuditResult): Line[] {
  const { stacks } = coverage;
  const left = stacks.length - mostShown;
  return [
    `policy: ${policy}`,
    `read: ${extentOf(coverage)}`,
    ...stacks.slice(0, mostShown).map(describe),
    ...(left > 0 ? [`${count(left, "stack")} more: see a report in JSON`] : []),
  ].map(shortText);
}

function extentOf({ wanted, stacks }: AuditResult["coverage"]): string {
  if (wanted === "named") return `${count(stacks.length, "stack")}, named by options; other stacks were not read`;
  const listed = stacks.filter(({ unlisted }) => !unlisted).length;
  const others = stacks.length - listed;
  const rest = others > 0 ? `, and ${count(others, "file")} of stacks that it does not list` : "";
  return `${count(listed, "stack")}, all that the Pulumi CLI lists${rest}`;
}

function describe(state: CoveredStack): string {
  const { source, origin, backend, time, tokens, insteadOf } = state;
  const from = origin === "file" ? `the file ${source}` : "an export";
  return [
    `${nameOf(state)}${backend === undefined ? "" : ` of ${backend}`} from ${from}`,
    time === undefined ? "without a time" : `as of ${time}`,
    count(tokens, "token"),
    ...(insteadOf === undefined ? [] : [`instead of the stack: ${insteadOf}`]),
  ].join(", ");
}
