import type { StackState } from "../../audit";
import { shellCommand } from "../shell";
import { type Line, say } from "../text";
import type { Place, TokenProblems } from "./tokens";

/** Commands that can be pasted as a whole, below the words that introduce them. */
export interface Step {
  readonly words: Line;
  readonly notes?: readonly Line[];
  readonly commands: readonly Line[];
}

/** The file of a state that a person has to edit. */
const edited = "to-repair.json";

/**
 * Plans the commands, in the order in which to run them. The tokens are revoked first: the refresh clears the pending creates, and the
 * repair removes the resources without an id, which are the proof that their tokens were left behind.
 */
export function planFixes(
  { pending, withoutId }: StackState,
  { revocable, place: account }: Pick<TokenProblems, "revocable" | "place">,
  place: Place,
): Step[] {
  const stack = optionOf("stack", place.stack);
  const ids = revocable.flatMap((id) => ["--id", id]);
  const revoke = ["npx", "pulumi-event-datasets", "tokens", "revoke", ...ids, ...optionOf("state", place.state)];
  const clear = account === "here" && pending.some(({ recorded }) => !recorded) ? ["--clear-pending-creates"] : [];
  const begin = ids.length > 0 ? [shellCommand(...revoke)] : [];
  const finish = [
    shellCommand("pulumi", "refresh", "--yes", ...clear, ...stack),
    shellCommand("pulumi", "up", ...stack),
    compareAll,
  ];
  const words = say`to fix all of this`;
  const urns = withoutId.map(({ declaration }) => declaration.urn);
  const notes = urns.length > 0 ? [say`before that, let the hook onError return false after some attempts`] : [];
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

/** The comparison of all stacks, which follows every recovery. */
export const compareAll = shellCommand("npx", "pulumi-event-datasets", "audit", "--all-stacks");

export const optionOf = (name: string, value: string | undefined): string[] =>
  value === undefined ? [] : [`--${name}`, value];
