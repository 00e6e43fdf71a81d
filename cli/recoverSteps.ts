import type { Finding, PendingCreate, StackState } from "../audit";
import { shellCommand } from "./shell";
import { type Line, say } from "./text";

/** Commands that can be pasted as a whole, below the words that introduce them. */
export interface Step {
  readonly words: Line;
  readonly notes?: readonly Line[];
  readonly commands: readonly Line[];
}

/** How to fix a stack, as the user named it. */
export interface Repair {
  readonly stack: string | undefined;
  /** A file with its state. */
  readonly state: string | undefined;
  /** The tokens that nobody has the secret of, proven by their generated names. */
  readonly revocable: readonly string[];
  readonly canRevoke: boolean;
  /** A create may have left a token in another account. */
  readonly hasElsewhere: boolean;
  /** Creates of which nothing proves that they belong to the present account. */
  readonly unproven: readonly PendingCreate[];
}

/** The step that fixes a finding; `look`: a person has to find out whose token it is. */
export type Cure = "revoke" | "remove" | "refresh" | "up" | "look";

/** The cure of a finding about a stack; undefined: the finding is none of its updates' business. */
export function cureOf({ rule, token, declared }: Finding, { tokens, pending }: StackState): Cure | undefined {
  if (declared === undefined) return undefined;
  const creates = pending.filter((one) => one.declaration.urn === declared.urn);
  switch (rule) {
    case "missing":
    case "escalated":
    case "changed":
      return tokens.some(({ id }) => id === token.id) ? "refresh" : undefined;
    case "orphaned":
      if (tokens.some(({ id }) => id === token.id)) return "up";
      return creates.some(({ isNameOwn, inputs }) => isNameOwn && inputs.name === token.name) ? "revoke" : "look";
    case "pending":
      if (creates.some(({ recorded }) => recorded !== undefined)) return "remove";
      return creates.length > 0 ? "refresh" : "up";
    default:
      return undefined;
  }
}

/** The file of a state that a person has to edit. */
const edited = "to-repair.json";

/**
 * Plans the commands, in the order in which to run them. The tokens are revoked first: the refresh clears the pending creates, and the
 * repair removes the resources without an id, which are the proof that their tokens were left behind.
 */
export function planFixes({ pending, withoutId }: StackState, repair: Repair): Step[] {
  const stack = optionOf("stack", repair.stack);
  const ids = repair.canRevoke ? repair.revocable.flatMap((id) => ["--id", id]) : [];
  const revoke = ["npx", "pulumi-event-datasets", "tokens", "revoke", ...ids, ...optionOf("state", repair.state)];
  const isCleared =
    repair.unproven.length === 0 && !pending.some(isNameless) && pending.some(({ recorded }) => !recorded);
  const clear = isCleared ? ["--clear-pending-creates"] : [];
  const begin = ids.length > 0 ? [shellCommand(...revoke)] : [];
  const finish = [
    shellCommand("pulumi", "refresh", "--yes", ...clear, ...stack),
    shellCommand("pulumi", "up", ...stack),
    compareAll,
  ];
  const words = say`to fix all of this`;
  const urns = withoutId.map(({ declaration }) => declaration.urn);
  const hook = urns.length > 0 ? [say`before that, let the hook onError return false after some attempts`] : [];
  const nameless = pending.some(isNameless)
    ? [say`a create has an encrypted name: if it left no token, add --clear-pending-creates to pulumi refresh`]
    : [];
  const notes = [...describeDoubts(repair), ...nameless, ...hook];
  if (!withoutId.some(({ isNeeded }) => isNeeded)) {
    const remove = ["pulumi", "state", "delete", "--disable-integrity-checking"];
    return [
      { words, notes, commands: [...begin, ...urns.map((urn) => shellCommand(...remove, urn, ...stack)), ...finish] },
    ];
  }
  const take = shellCommand("pulumi", "stack", "export", "--file", edited, ...stack);
  // Without the removed resource, the state has dependencies on nothing: an import needs --force, and the repair removes them.
  const putBack = [
    shellCommand("pulumi", "stack", "import", "--force", "--file", edited, ...stack),
    shellCommand("pulumi", "state", "repair", "--yes", ...stack),
  ];
  return [
    { words, notes, commands: [...begin, take] },
    {
      words: say`then remove from "resources" in ${edited} every entry that has no "id" and one of these URNs`,
      notes: urns.map((urn) => say`${urn}`),
      commands: [],
    },
    { words: say`and then`, commands: [...putBack, ...finish] },
  ];
}

/** A create whose token cannot be looked for: while the state has it, it says at least that there may be one. */
const isNameless = ({ recorded, isAdoption, inputs }: PendingCreate): boolean =>
  recorded === undefined && !isAdoption && typeof inputs.name !== "string";

/** Why the proof of a create may be removed too early, if nothing proves the account. */
function describeDoubts({ unproven, hasElsewhere }: Repair): Line[] {
  const doubt = say`nothing proves the account: if the creates were in`;
  const isRecorded = ({ recorded }: PendingCreate) => recorded !== undefined;
  return [
    ...(hasElsewhere || unproven.every(isRecorded)
      ? []
      : [say`${doubt} this one, add --clear-pending-creates to pulumi refresh`]),
    ...(unproven.some(isRecorded)
      ? [say`${doubt} another one, run this with its access token first, because the commands remove what proves them`]
      : []),
  ];
}

/** The comparison of all stacks, which follows every recovery. */
export const compareAll = shellCommand("npx", "pulumi-event-datasets", "audit", "--all-stacks");

export const optionOf = (name: string, value: string | undefined): string[] =>
  value === undefined ? [] : [`--${name}`, value];
