import type { AuditResult } from "../../audit";
import { nameOf } from "../../audit/identity";
import { count } from "../counts";
import type { Line } from "../text";
import { shortText } from "./text";

/** A report for people names this many states of a kind; the others are in a report in JSON. */
const mostShown = 100;

type Coverage = AuditResult["coverage"];

/** Which stacks the audit knows and from where, and by which policy it judged: a line for each. */
export function coverageOf({ coverage, policy }: AuditResult): Line[] {
  const { stacks, unused } = coverage;
  return [
    `policy: ${policy}`,
    `read: ${extentOf(coverage)}`,
    ...shortened(stacks, describe, "stack"),
    ...shortened(unused, (state) => `not used: ${describe(state)}: ${state.reason}`, "state that is not used"),
  ].map(shortText);
}

function extentOf({ wanted, project, organization, stacks }: Coverage): string {
  const many = count(stacks.length, "stack");
  if (wanted === "named") return `${many}, those that were named; nobody looked for others`;
  const only = [project && `of project ${project}`, organization && `of organization ${organization}`].filter(Boolean);
  return `${many}, all ${[...only, "that the Pulumi CLI lists"].join(" ")}`;
}

function describe(state: Coverage["stacks"][number]): string {
  const { source, origin, backend, time, tokens, insteadOf } = state;
  const from = origin === "file" ? `the file ${source}` : "an export";
  return [
    `${nameOf(state)}${backend === undefined ? "" : ` of ${backend}`} from ${from}`,
    time === undefined ? "without a time" : `as of ${time}`,
    count(tokens, "token"),
    ...(insteadOf === undefined ? [] : [`in place of the stack: ${insteadOf}`]),
  ].join(", ");
}

function shortened<T>(all: readonly T[], describeOne: (one: T) => string, what: string): string[] {
  const left = all.length - mostShown;
  return [
    ...all.slice(0, mostShown).map(describeOne),
    ...(left > 0 ? [`${left} more (${what}): see a report in JSON`] : []),
  ];
}
