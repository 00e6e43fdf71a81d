import { exportedStack, stateFile } from "./auditSources";
import { type Command, type Io, textOf, type Values } from "./command";
import { connect } from "./connection";
import { backendFolder, inspectBackend, quoted } from "./recovery/backend";
import type { Mend } from "./recovery/mend";
import { inspectTokens } from "./recovery/tokens";

const help = `Usage: event-datasets recover [options]

Looks at a stack after an update was interrupted, and prints, in order, what is wrong and the command that mends it: files
that hinder every command, a lock, creates that never ended and their tokens, recorded tokens that are gone.

  --stack <name>    the stack (default: the selected one of this folder)
  --cwd <folder>    the folder of the Pulumi project
  --state <file>    reads this state in place of the engine's
  --backend <url>   address of a backend on disk, file:///… (default: PULUMI_BACKEND_URL)
  --apply           does what destroys nothing: locks of updates that ended, empty files, a checkpoint's backup
  --help            prints this

The service is EVENT_DATASETS_BASE_URL, the credential EVENT_DATASETS_ACCESS_TOKEN.
Exit codes: 0 nothing is left to mend, 1 something is, 2 could not tell.`;

/** Says what an interrupted update left, and how it is mended. */
export const recover: Command = {
  help,
  options: {
    stack: { type: "string" },
    cwd: { type: "string" },
    state: { type: "string" },
    backend: { type: "string" },
    apply: { type: "boolean" },
  },

  async run(values, io) {
    const stack = textOf(values, "stack");
    const folder = backendFolder(textOf(values, "backend") ?? io.env.PULUMI_BACKEND_URL);
    const files = folder === undefined ? [] : await inspectBackend(folder, stack);
    const left = await settle(files, values.apply === true, io);
    // A damaged backend hides the state: what is in the way comes first, and the rest shows in the next run.
    if (left.length > 0 && textOf(values, "state") === undefined) return end(left, io, stack, false);

    const state = await stateOf(values, io);
    await using client = connect(io);
    const mends = await inspectTokens(client, state, stack);
    return end([...left, ...(await settle(mends, false, io))], io, stack, true);
  },
};

const stateOf = (values: Values, io: Io) => {
  const file = textOf(values, "state");
  return file === undefined ? exportedStack(textOf(values, "stack"), textOf(values, "cwd"), io) : stateFile(file);
};

/** Prints what was found and does what may be done; what is left. */
async function settle(mends: readonly Mend[], applies: boolean, io: Io): Promise<Mend[]> {
  const left: Mend[] = [];
  for (const mend of mends) {
    io.print(mend.found);
    if (applies && mend.apply) {
      await mend.apply();
      io.print(`  done: ${mend.remedy}`);
    } else {
      left.push(mend);
      io.print(`  ${mend.remedy}`);
    }
  }
  return left;
}

function end(left: readonly Mend[], io: Io, stack: string | undefined, isWhole: boolean): number {
  if (!isWhole) io.print('then run "event-datasets recover" again: the state cannot be read before');
  else {
    const option = stack === undefined ? "" : ` --stack ${quoted(stack)}`;
    if (left.length === 0) io.print("nothing to mend");
    io.print(`then, to reach what is declared: pulumi refresh${option} && pulumi up${option}`);
    io.print(`and to see what is left alive: event-datasets audit${option}`);
  }
  return left.length === 0 ? 0 : 1;
}
