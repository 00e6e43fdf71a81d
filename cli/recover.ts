import { exportedStack, stateFile } from "./auditSources";
import { type Command, type Io, textOf, type Values } from "./command";
import { connect } from "./connection";
import { backendFolder, inspectBackend, quoted } from "./recovery/backend";
import { findIdleHosts } from "./recovery/hosts";
import type { Mend } from "./recovery/mend";
import { inspectTokens } from "./recovery/tokens";

/** Says what an interrupted update left, and how it is mended. */
export const recover: Command = {
  async run(values, io) {
    const stack = textOf(values, "stack");
    const applies = values.apply === true;
    const idle = await findIdleHosts(textOf(values, "cwd") ?? ".");
    const hosts = await settle(idle, applies, io);
    const folder = backendFolder(textOf(values, "backend") ?? io.env.PULUMI_BACKEND_URL);
    const files = folder === undefined ? [] : await inspectBackend(folder, stack);
    const left = await settle(files, applies, io);
    // A damaged backend hides the state: what is in the way comes first, and the rest shows in the next run.
    if (left.length > 0 && textOf(values, "state") === undefined) return end([...hosts, ...left], io, stack, false);

    const state = await stateOf(values, io);
    await using client = connect(io);
    const mends = await inspectTokens(client, state, stack);
    if (state.pending.length > 0) adviseAudit(values, io);
    if (idle.length + files.length + mends.length === 0) io.print("nothing to mend");
    return end([...hosts, ...left, ...(await settle(mends, false, io))], io, stack, true);
  },
};

/** What clears a pending create takes away the proof that its token was left behind. */
function adviseAudit(values: Values, io: Io): void {
  const given = (["stack", "cwd", "state"] as const).flatMap((option) => {
    const value = textOf(values, option);
    return value === undefined ? [] : [`--${option} ${quoted(value)}`];
  });
  io.print("first, for the record");
  printSteps(io, {
    note: 'once a create is cleared its token is "undeclared" for an audit, not "orphaned"',
    remedy: ["event-datasets audit", ...given].join(" "),
  });
}

/** What is indented can be handed to a shell as it is: commands, and comments for a person. */
function printSteps(io: Io, { note, remedy }: Pick<Mend, "note" | "remedy">): void {
  if (note !== undefined) io.print(`  # ${note}`);
  if (remedy !== undefined) io.print(`  ${remedy}`);
}

const stateOf = (values: Values, io: Io) => {
  const file = textOf(values, "state");
  return file === undefined
    ? exportedStack(textOf(values, "stack"), textOf(values, "cwd"), io, io.progress)
    : stateFile(file);
};

/** Prints what was found and does what may be done; what is left. */
async function settle(mends: readonly Mend[], applies: boolean, io: Io): Promise<Mend[]> {
  const left: Mend[] = [];
  for (const mend of mends) {
    io.print(mend.found);
    if (applies && mend.apply) {
      await mend.apply();
      io.print(`  # done: ${mend.remedy}`);
      if (mend.note !== undefined) io.print(`  # ${mend.note}`);
    } else {
      left.push(mend);
      printSteps(io, mend);
    }
  }
  return left;
}

function end(left: readonly Mend[], io: Io, stack: string | undefined, isWhole: boolean): number {
  if (!isWhole) io.print('then run "event-datasets recover" again: the state cannot be read before');
  else {
    const option = stack === undefined ? "" : ` --stack ${quoted(stack)}`;
    io.print("then, to reach what is declared");
    printSteps(io, { remedy: `pulumi refresh${option} && pulumi up${option}` });
    io.print("and to see what is left alive");
    printSteps(io, { remedy: `event-datasets audit${option}` });
  }
  return left.length === 0 ? 0 : 1;
}
