import { defined } from "../values/defined";
import type { StackState, StateOrigin } from "./declared";
import type { Found } from "./findings";
import { differs, nameOf, type StackIdentity } from "./identity";

/** A state that the audit uses. */
export interface CoveredStack extends StackIdentity {
  /** The stack whose state was exported, or the file. */
  readonly source: string;
  readonly origin: StateOrigin;
  /** When the engine wrote the state, according to the state. */
  readonly time?: string | undefined;
  /** Identifies a Terraform state. */
  readonly lineage?: string | undefined;
  readonly serial?: number | undefined;
  /** How many tokens it declares. */
  readonly tokens: number;
  /** The reason why the stack could not be read, so that this state comes from a file instead. */
  readonly insteadOf?: string | undefined;
  /** The Pulumi CLI lists every stack of the backend, but not this one: its file may be out of date. */
  readonly unlisted?: true | undefined;
}

/** The wanted stacks. */
export interface Scope {
  /** All stacks that the Pulumi CLI lists, or only named stacks, so that other stacks are not known. */
  readonly wanted: "all" | "named";
}

/** The states that an audit used. */
export interface Coverage extends Scope {
  readonly stacks: readonly CoveredStack[];
}

/** An existing stack that could not be read. */
export interface UnreadStack {
  readonly identity: StackIdentity;
  readonly reason: string;
}

/** Whether two states belong to one stack. A file that names its stack in full belongs to the present backend. */
function relate(a: StackState, b: Pick<StackState, "identity" | "origin">): "same" | "different" | "unclear" {
  if (a.identity.stack === undefined || b.identity.stack === undefined) return "different"; // empty: it declares nothing
  const parts = ["organization", "project", "stack"] as const;
  if (parts.some((part) => differs(a.identity[part], b.identity[part]))) return "different";
  if (![a, b].every(({ identity }) => parts.every((part) => identity[part] !== undefined))) return "unclear";
  const isElsewhere = a.origin === b.origin && differs(a.identity.backend, b.identity.backend);
  return isElsewhere ? "different" : "same";
}

/** Whether a file takes the place of a stack that could not be read. */
export const standsFor = (file: StackState, { identity }: Pick<UnreadStack, "identity">): boolean =>
  relate(file, { identity, origin: "export" }) === "same";

/**
 * Checks that there is one state for each stack, and describes the stacks.
 * @throws Error that names every ambiguous state, and every unread stack without a state
 */
export function cover(states: readonly StackState[], scope: Scope, unread: readonly UnreadStack[]): Coverage {
  const problems: string[] = [];
  for (const group of Map.groupBy(states, keyOf).values())
    for (const [at, state] of group.entries()) {
      const other = group.slice(0, at).find((one) => relate(one, state) !== "different");
      if (other) problems.push(describeClash(other, state));
    }
  for (const group of Map.groupBy(states, ({ lineage }) => lineage).values())
    if (group[0]?.lineage !== undefined && group.length > 1)
      problems.push(`${group.map(({ source }) => source).join(" and ")} have the same lineage: leave one of them out`);
  const standing = new Map<StackState, string>();
  for (const { identity, reason } of unread) {
    const file = states.find((state) => standsFor(state, { identity }));
    if (file) standing.set(file, reason);
    else problems.push(describeUnread(identity, reason, states));
  }
  if (problems.length > 0) throw new Error(`${problems.join("; ")}. Nothing was audited.`);
  const stacks = states.map((state) => {
    const { identity, source, origin, time, lineage, serial, tokens, others } = state;
    const insteadOf = standing.get(state);
    const isUnlisted = scope.wanted === "all" && origin === "file" && insteadOf === undefined;
    const many = tokens.length + others.filter(({ token }) => token !== undefined).length;
    const unlisted = isUnlisted && identity.stack !== undefined ? (true as const) : undefined;
    return { ...defined({ ...identity, time, lineage, serial, insteadOf, unlisted }), source, origin, tokens: many };
  });
  return { ...scope, stacks };
}

/** States with the same key may belong to one stack. */
const keyOf = ({ identity: { project, stack }, source }: StackState): string =>
  JSON.stringify(stack === undefined ? [source] : [project, stack]);

function describeClash(a: StackState, b: StackState): string {
  const both = `${a.source} and ${b.source} are both states of ${nameOf(b.identity)}`;
  if (relate(a, b) === "same") return `${both}: leave one of them out`;
  const advice = "leave one of them out, or name the stack of a file: --state ORGANIZATION/PROJECT/STACK=FILE";
  return `${both}, but it is not clear whether they have the same organization: ${advice}`;
}

function describeUnread(identity: StackIdentity, reason: string, states: readonly StackState[]): string {
  const name = nameOf(identity);
  const near = states.find((state) => relate(state, { identity, origin: "export" }) === "unclear");
  const hint = near ? ` (${near.source} does not name its organization)` : "";
  return `stack ${name} could not be read${hint}: ${reason}: repair it, or pass its state: --state ${name}=FILE`;
}

/** Findings for files of stacks that do not exist. The coverage itself names files that stand for a stack. */
export function* auditCoverage({ stacks }: Coverage): Generator<Found> {
  for (const { source, unlisted, time, ...identity } of stacks) {
    if (!unlisted) continue;
    const name = nameOf(identity);
    const file = `${source}${time === undefined ? "" : ` (as of ${time})`}`;
    const message = `${file} is a state of ${name}, which the Pulumi CLI does not list`;
    yield { rule: "stale-state", message, token: {}, detail: name };
  }
}
