import { defined } from "../values/defined";
import type { Declaration, Found } from "./findings";
import { differs, nameOf, type StackIdentity } from "./identity";
import type { StackState, StateOrigin } from "./state";

/** One state that an audit was given. */
export interface CoveredState extends StackIdentity {
  /** The name that the state was exported by, or the file. */
  readonly source: string;
  readonly origin: StateOrigin;
  /** When the engine wrote the state, as it says itself. */
  readonly time?: string | undefined;
  /** How many tokens it declares. */
  readonly tokens: number;
}

/** A state that counts. */
export interface CoveredStack extends CoveredState {
  /** Why the stack itself could not be read: the state is of a file that stands for it. */
  readonly insteadOf?: string | undefined;
}

/** A state that was given and does not count. */
export interface UnusedState extends CoveredState {
  readonly reason: string;
}

/** Which stacks were wanted. */
export interface Scope {
  /** All that the Pulumi CLI lists, or those that were named: then nobody knows which others there are. */
  readonly wanted: "all" | "named";
  /** With "all": only of this project. */
  readonly project?: string | undefined;
  /** With "all": only of this organization. */
  readonly organization?: string | undefined;
}

/** What an audit knows of the stacks, and what it does not. */
export interface Coverage extends Scope {
  readonly stacks: readonly CoveredStack[];
  readonly unused: readonly UnusedState[];
}

/** A stack that is there and could not be read. */
export interface UnreadStack {
  readonly identity: StackIdentity;
  readonly reason: string;
}

/** The states that count, and what to say of all of them. */
export interface Covered {
  readonly used: readonly StackState[];
  readonly coverage: Coverage;
}

/** A stack, and how its state was read. */
type Known = Pick<StackState, "identity" | "origin">;

/**
 * Whether two are one stack. A file that names its stack in full is taken for one of the present backend, as long as nobody
 * says otherwise.
 */
function relate(a: Known, b: Known): "same" | "different" | "unclear" {
  if (a.identity.stack === undefined || b.identity.stack === undefined) return "different"; // empty: it declares nothing
  const parts = ["organization", "project", "stack"] as const;
  if (parts.some((part) => differs(a.identity[part], b.identity[part]))) return "different";
  if (![a, b].every(({ identity }) => parts.every((part) => identity[part] !== undefined))) return "unclear";
  return labelOf(a) === labelOf(b) ? "same" : "different";
}

/** How somebody called a backend that is not the present one. */
const labelOf = ({ identity, origin }: Known): string | undefined => (origin === "file" ? identity.backend : undefined);

/**
 * Decides which states count: one a stack. A state that was exported now counts before a file, and a newer file before an
 * older one.
 * @throws Error that names every state of which that cannot be told, and every stack that nothing stands for
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
  const stacks = used.map((state) => ({ ...describe(state), ...defined({ insteadOf: standing.get(state) }) }));
  return { used, coverage: { ...scope, stacks, unused } };
}

/** States that have this in common may be of one stack. */
const keyOf = ({ identity: { project, stack }, source }: StackState): string =>
  JSON.stringify(stack === undefined ? [source] : [project, stack]);

/** The state that counts first; of equal ones any. */
const byWorth = (a: StackState, b: StackState): number =>
  Number(b.origin === "export") - Number(a.origin === "export") || timeOf(b) - timeOf(a);

const timeOf = ({ time }: StackState): number => Date.parse(time ?? "") || 0;

/** Whether the first of two states of one stack is known to count before the second. */
const isDecided = (better: StackState, state: StackState): boolean =>
  better.origin !== state.origin ||
  (state.time !== undefined && timeOf(better) > timeOf(state)) ||
  isEqual(better, state);

/** Whether two states say the same, so that it does not matter which one counts. */
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
    `${a.source} and ${b.source} are both a state of ${nameOf(b.identity)}, and nothing says whether of the same`,
    "organization: leave one out, or name the stack of a file: --state ORGANIZATION/PROJECT/STACK=FILE",
  ].join(" ");

const describeTie = (a: StackState, b: StackState): string =>
  [
    `${a.source} and ${b.source} are different states of ${nameOf(b.identity)}, and nothing says which is newer:`,
    "leave one out",
  ].join(" ");

function describeUnread(identity: StackIdentity, reason: string, used: readonly StackState[]): string {
  const name = nameOf(identity);
  const near = used.find((state) => relate(state, { identity, origin: "export" }) === "unclear");
  const hint = near ? ` (${near.source} does not say of which organization it is)` : "";
  return `stack ${name} could not be read${hint}: ${reason}: repair it, or give its state: --state ${name}=FILE`;
}

/** What of the coverage every reader of a report has to know. */
export function* auditCoverage({ stacks, unused }: Coverage): Generator<Found> {
  for (const { source, insteadOf, ...identity } of stacks) {
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
