import type { AuditResult } from "../../audit";
import { nameOf } from "../../audit/identity";
import { count } from "../counts";
import type { Line } from "../text";
import { shortText } from "./text";

/** The most states of a kind in a report for people; a JSON report has all. */
const mostShown = 100;

type Coverage = AuditResult["coverage"];

/** Lines with the policy and the stacks that were read, with the sources of their states, and those that were not used. */
export function coverageOf({ coverage, policy }: AuditResult): Line[] {
  const { stacks, unused } = coverage;
  return [
    `policy: ${policy}`,
    `read: ${extentOf(coverage)}`,
    ...listShortened(stacks, describe, "stack"),
    ...listShortened(unused, (state) => `not used: ${describe(state)}: ${state.reason}`, "state that is not used"),
  ].map(shortText);
}

function extentOf({ wanted, stacks }: Coverage): string {
  if (wanted === "named") return `${count(stacks.length, "stack")}, named by options; other stacks were not read`;
  const listed = stacks.filter(({ unlisted }) => !unlisted).length;
  const others = stacks.length - listed;
  const rest = others > 0 ? `, and ${count(others, "file")} of stacks that it does not list` : "";
  return `${count(listed, "stack")}, all that the Pulumi CLI lists${rest}`;
}

function describe(state: Coverage["stacks"][number]): string {
  const { source, origin, backend, time, tokens, insteadOf } = state;
  const from = origin === "file" ? `the file ${source}` : "an export";
  return [
    `${nameOf(state)}${backend === undefined ? "" : ` of ${backend}`} from ${from}`,
    time === undefined ? "without a time" : `as of ${time}`,
    count(tokens, "token"),
    ...(insteadOf === undefined ? [] : [`instead of the stack: ${insteadOf}`]),
  ].join(", ");
}

function listShortened<T>(all: readonly T[], describeOne: (one: T) => string, what: string): string[] {
  const left = all.length - mostShown;
  return [
    ...all.slice(0, mostShown).map(describeOne),
    ...(left > 0 ? [`${left} more (${what}): see a report in JSON`] : []),
  ];
}
