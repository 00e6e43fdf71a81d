import type { Cure, Finding, ResourceWithoutId, StackState } from "../audit";
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
  /** Findings with cures, and about other accounts. */
  readonly found: readonly Finding[];
  /** Resources of other types without an id. */
  readonly others: readonly ResourceWithoutId[];
  readonly canRevoke: boolean;
}

/** The comparison of all stacks, which follows every recovery. */
export const compareAll = shellCommand("npx", "pulumi-event-datasets", "audit", "--all-stacks");

export const optionsOf = (repair: Repair, ...names: ("stack" | "state")[]): string[] =>
  names.flatMap((name) => (repair[name] === undefined ? [] : [`--${name}`, repair[name]]));

const revokeCommand = (ids: readonly string[], repair: Repair): Line => {
  const options = [...ids.flatMap((id) => ["--id", id]), ...optionsOf(repair, "state")];
  return shellCommand("npx", "pulumi-event-datasets", "tokens", "revoke", ...options);
};

const removeCommand = (urn: string, repair: Repair): Line =>
  shellCommand("pulumi", "state", "delete", "--disable-integrity-checking", urn, ...optionsOf(repair, "stack"));

/** The command of one step. */
export function commandOf(cure: Cure, { token: { id = "" }, declared }: Finding, repair: Repair): Line {
  if (cure === "revoke") return revokeCommand([id], repair);
  if (cure === "remove") return removeCommand(declared?.urn ?? "", repair);
  return shellCommand("pulumi", cure === "up" ? "up" : "refresh", ...optionsOf(repair, "stack"));
}

/** The file of a state that a person has to edit. */
const edited = "to-repair.json";

/**
 * Plans the commands, in the order in which to run them. The tokens are revoked first: the refresh clears the pending creates, and the
 * repair removes the resources without an id, which are the proof that their tokens were left behind.
 */
export function planFixes({ withoutId }: StackState, repair: Repair): Step[] {
  const { found, others, canRevoke } = repair;
  const stack = optionsOf(repair, "stack");
  const ids = canRevoke ? found.flatMap(({ cures, token: { id = [] } }) => (cures?.includes("revoke") ? id : [])) : [];
  const begin = ids.length > 0 ? [revokeCommand(ids, repair)] : [];
  const proven = found.flatMap(({ cures, declared }) => (cures?.includes("remove") && declared ? declared.urn : []));
  const urns = new Set([...proven, ...others.map(({ declaration }) => declaration.urn)]);
  const removed = withoutId.filter(({ declaration }) => urns.has(declaration.urn));
  const clear = canClear(found) ? ["--clear-pending-creates"] : [];
  const update = [
    shellCommand("pulumi", "refresh", "--yes", ...clear, ...stack),
    shellCommand("pulumi", "up", ...stack),
  ];
  // While one such resource stays, every refresh and update fails.
  const finish = [...(removed.length === withoutId.length ? update : []), compareAll];
  const words = say`to fix all of this`;
  const hook = removed.length > 0 ? [say`before that, let the hook onError return false after some attempts`] : [];
  const notes = [...describeKept(found, withoutId), ...hook];
  if (!removed.some(({ isNeeded }) => isNeeded))
    return [{ words, notes, commands: [...begin, ...[...urns].map((urn) => removeCommand(urn, repair)), ...finish] }];
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
      notes: [...urns].map((urn) => say`${urn}`),
      commands: [],
    },
    { words: say`and then`, commands: [...putBack, ...finish] },
  ];
}

/** Whether no create has to stay in the state, as the proof of a token that was not seen. */
const canClear = (found: readonly Finding[]): boolean =>
  found.some(({ cures }) => cures?.includes("clear")) &&
  !found.some(({ rule, token, cures }) =>
    cures ? cures.includes("keep") || cures.includes("look") : rule === "elsewhere" && token.id === undefined,
  );

/** Why creates stay in the state that no token was found for. */
function describeKept(found: readonly Finding[], withoutId: readonly ResourceWithoutId[]): Line[] {
  const kept = found.filter(
    ({ cures, declared }) =>
      cures?.includes("keep") && !withoutId.some(({ declaration }) => declaration.urn === declared?.urn),
  );
  const add = say`add --clear-pending-creates to pulumi refresh`;
  return [
    ...(kept.some(({ token }) => token.name !== undefined)
      ? [say`nothing proves the account: if the creates were in this one, ${add}`]
      : []),
    ...(kept.some(({ token }) => token.name === undefined)
      ? [say`a create has an encrypted name: if it left no token, ${add}`]
      : []),
  ];
}
