import { defined } from "../values/defined";
import type { Declaration, Found } from "./findings";
import { differs, nameOf, type StackIdentity } from "./identity";
import type { StackState, StateOrigin } from "./state";

/** A state that was passed to an audit. */
export interface CoveredState extends StackIdentity {
  /** The stack whose state was exported, or the file. */
  readonly source: string;
  readonly origin: StateOrigin;
  /** When the engine wrote the state, according to the state. */
  readonly time?: string | undefined;
  /** How many tokens it declares. */
  readonly tokens: number;
}

/** A state that the audit uses. */
export interface CoveredStack extends CoveredState {
  /** Why the stack could not be read: this state comes from a file instead. */
  readonly insteadOf?: string | undefined;
  /** The Pulumi CLI lists every stack of the backend, but not this one: its file may be out of date. */
  readonly unlisted?: true | undefined;
}

/** A state that the audit does not use. */
export interface UnusedState extends CoveredState {
  readonly reason: string;
}

/** The wanted stacks. */
export interface Scope {
  /** All stacks that the Pulumi CLI lists, or only named stacks: then other stacks are not known. */
  readonly wanted: "all" | "named";
}

/** The states that an audit used, and those that it did not use. */
export interface Coverage extends Scope {
  readonly stacks: readonly CoveredStack[];
  readonly unused: readonly UnusedState[];
}

/** An existing stack that could not be read. */
export interface UnreadStack {
  readonly identity: StackIdentity;
  readonly reason: string;
}

/** The states to use, and the coverage to report. */
export interface Covered {
  readonly used: readonly StackState[];
  readonly coverage: Coverage;
}

/** A stack, and how its state was read. */
type Known = Pick<StackState, "identity" | "origin">;

/** Whether two states belong to one stack. A file that names its stack in full belongs to the present backend. */
function relate(a: Known, b: Known): "same" | "different" | "unclear" {
  if (a.identity.stack === undefined || b.identity.stack === undefined) return "different"; // empty: it declares nothing
  const parts = ["organization", "project", "stack"] as const;
  if (parts.some((part) => differs(a.identity[part], b.identity[part]))) return "different";
  if (![a, b].every(({ identity }) => parts.every((part) => identity[part] !== undefined))) return "unclear";
  const isElsewhere = a.origin === b.origin && differs(a.identity.backend, b.identity.backend);
  return isElsewhere ? "different" : "same";
}

/**
 * Chooses one state for each stack: an exported state rather than a file, and the newest file.
 * @throws Error that names every ambiguous state, and every unread stack without a state
 */
export function cover(states: readonly StackState[], scope: Scope, unread: readonly UnreadStack[]): Covered {
  const used: StackState[] = [];
  const unused: UnusedState[] = [];
  const problems: string[] = [];
  for (const group of Map.groupBy(states, keyOf).values()) {
    const chosen: StackState[] = [];
    for (const state of [...group].sort(byWorth)) {
      const unclear = chosen.find((other) => relate(other, state) === "unclear");
      const better = chosen.find((other) => relate(other, state) === "same");
      if (unclear && !isEqual(unclear, state)) problems.push(describeUnclear(unclear, state));
      else if (better && !isDecided(better, state)) problems.push(describeTie(better, state));
      else if (better ?? unclear) unused.push(unusedFor(state, (better ?? unclear) as StackState));
      else chosen.push(state);
    }
    used.push(...chosen);
  }
  const standing = new Map<StackState, string>();
  for (const { identity, reason } of unread) {
    const file = used.find((state) => relate(state, { identity, origin: "export" }) === "same");
    if (file) standing.set(file, reason);
    else problems.push(describeUnread(identity, reason, used));
  }
  if (problems.length > 0) throw new Error(`${problems.join("; ")}. Nothing was audited.`);
  const stacks = used.map((state) => {
    const insteadOf = standing.get(state);
    const isUnlisted = scope.wanted === "all" && state.origin === "file" && insteadOf === undefined;
    const unlisted = isUnlisted && state.identity.stack !== undefined ? (true as const) : undefined;
    return { ...describe(state), ...defined({ insteadOf, unlisted }) };
  });
  return { used, coverage: { ...scope, stacks, unused } };
}

/** States with the same key may belong to one stack. */
const keyOf = ({ identity: { project, stack }, source }: StackState): string =>
  JSON.stringify(stack === undefined ? [source] : [project, stack]);

/** Orders states by preference. */
const byWorth = (a: StackState, b: StackState): number =>
  Number(b.origin === "export") - Number(a.origin === "export") || timeOf(b) - timeOf(a);

const timeOf = ({ time }: StackState): number => Date.parse(time ?? "") || 0;

/** Whether the first of two states of one stack is certainly preferred. */
const isDecided = (better: StackState, state: StackState): boolean =>
  better.origin !== state.origin ||
  (state.time !== undefined && timeOf(better) > timeOf(state)) ||
  isEqual(better, state);

/** Whether two states have the same content, so that either can be used. */
const isEqual = (a: StackState, b: StackState): boolean => contentOf(a) === contentOf(b);

const contentOf = ({ time, tokens, pending, lookups }: StackState): string =>
  JSON.stringify(
    [time, tokens, pending, lookups].map((part) => (Array.isArray(part) ? part.map(withoutSource) : part)),
    (_, value) => (typeof value === "symbol" ? String(value) : value),
  );

const withoutSource = ({ declaration, ...rest }: { readonly declaration: Declaration }) => ({
  urn: declaration.urn,
  ...rest,
});

const describe = ({ identity, source, origin, time, tokens }: StackState): CoveredState => ({
  ...defined({ ...identity }),
  source,
  origin,
  ...defined({ time }),
  tokens: tokens.length,
});

const unusedFor = (state: StackState, better: StackState): UnusedState => ({
  ...describe(state),
  reason:
    better.origin === "export" && state.origin === "file"
      ? `${nameOf(better.identity)} was read itself`
      : `${better.source} is ${timeOf(better) > timeOf(state) ? "a newer" : "the same"} state of this stack`,
});

const describeUnclear = (a: StackState, b: StackState): string =>
  [
    `${a.source} and ${b.source} are both states of ${nameOf(b.identity)}, but nothing tells whether they have the same`,
    "organization: leave one of them out, or name the stack of a file: --state ORGANIZATION/PROJECT/STACK=FILE",
  ].join(" ");

const describeTie = (a: StackState, b: StackState): string =>
  [
    `${a.source} and ${b.source} are different states of ${nameOf(b.identity)}, and nothing tells which is newer:`,
    "leave one of them out",
  ].join(" ");

function describeUnread(identity: StackIdentity, reason: string, used: readonly StackState[]): string {
  const name = nameOf(identity);
  const near = used.find((state) => relate(state, { identity, origin: "export" }) === "unclear");
  const hint = near ? ` (${near.source} does not name its organization)` : "";
  return `stack ${name} could not be read${hint}: ${reason}: repair it, or pass its state: --state ${name}=FILE`;
}

/** Findings for stacks that were read from a file, for stacks that do not exist, and for states that were not used. */
export function* auditCoverage({ stacks, unused }: Coverage): Generator<Found> {
  for (const { source, insteadOf, unlisted, ...identity } of stacks) {
    if (unlisted) {
      const message = `${source}${asOf(identity)} is a state of ${nameOf(identity)}, which the Pulumi CLI does not list`;
      yield { rule: "unlisted", message, token: {}, detail: nameOf(identity) };
    }
    if (insteadOf === undefined) continue;
    const message = `${source} stands for the stack ${nameOf(identity)}${asOf(identity)}: ${insteadOf}`;
    yield { rule: "unread", message, token: {}, detail: ["instead of", nameOf(identity)] };
  }
  for (const { source, reason, ...identity } of unused) {
    const message = `${source}${asOf(identity)} was not used: ${reason}`;
    yield { rule: "unread", message, token: {}, detail: ["not used", source] };
  }
}

const asOf = ({ time }: Pick<CoveredState, "time">): string => (time === undefined ? "" : ` (as of ${time})`);
