import type { PendingCreate, StackState } from "../audit";
import { identityOfName } from "./auditBackend";
import { exportStack, readStateFile } from "./auditSources";
import { type Command, type Io, textOf, type Values } from "./command";
import { connect, presentAccount } from "./connection";
import { withProgress } from "./progress";
import { compareAll, optionOf, planFixes, type Step } from "./recovery/commands";
import { inspectTokens, type Place, type Problem } from "./recovery/tokens";
import { shellCommand } from "./shell";
import { type Line, say } from "./text";

/** Finds the tokens that an interrupted update left behind, and shows how to fix the stack. */
export const recover: Command = {
  async run(values, io) {
    const state = await readWanted(values, io).catch((failure: Error) => {
      throw new Error(`${failure.message}. ${backendAdvice}`);
    });
    // This folder may have another stack selected than that of the state.
    const stack = textOf(values, "stack") ?? (textOf(values, "state") === undefined ? undefined : state.identity.stack);
    const place: Place = { stack, state: textOf(values, "state") };
    await using client = connect(io);
    const found = await inspectTokens(client, presentAccount(io.env), state);
    const { problems, place: account } = found;
    for (const problem of problems) printProblem(problem, io);
    if (problems.length === 0) io.print(say`no problems found`);
    if (account === "elsewhere") {
      io.print(say`then run this again, because another account cannot tell the state of these tokens`);
      const options = [...optionOf("stack", place.stack), ...optionOf("state", place.state)];
      io.print(say`  ${shellCommand("npx", "pulumi-event-datasets", "recover", ...options)}`);
      return 1;
    }
    const compare: Step = { words: say`to compare all stacks`, commands: [compareAll] };
    const steps = problems.length === 0 ? [compare] : planFixes(state, found, place);
    const doubts = account === "unproven" ? describeDoubts(state) : [];
    for (const [at, step] of steps.entries()) printStep(step, at === 0 ? doubts : [], io);
    return problems.length === 0 ? 0 : 1;
  },
};

/** Why the proof of a create may be cleared too early, if nothing proves the account. */
function describeDoubts({ pending }: StackState): Line[] {
  const isRecorded = ({ recorded }: PendingCreate) => recorded !== undefined;
  const doubt = say`nothing proves the account: if the creates were in`;
  return [
    ...(pending.every(isRecorded) ? [] : [say`${doubt} this one, add --clear-pending-creates to pulumi refresh`]),
    ...(pending.some(isRecorded)
      ? [say`${doubt} another one, run this with its access token first, because the commands remove what proves them`]
      : []),
  ];
}

/** The Pulumi CLI has to fix a state that cannot be read. */
const backendAdvice =
  'If an update was killed, "pulumi cancel" removes its lock once it has certainly ended, and "pulumi state repair" fixes a damaged state. A backend on disk keeps earlier states beside it, in <stack>.json.bak and in .pulumi/backups';

async function readWanted(values: Values, io: Io): Promise<StackState> {
  const [file, stack] = [textOf(values, "state"), textOf(values, "stack")];
  if (file !== undefined) return readStateFile(file, identityOfName(stack, undefined));
  return await withProgress(say`exporting the stack`, io.progress, exportStack(stack, io));
}

function printProblem({ found, note }: Problem, io: Io): void {
  io.print(found);
  if (note !== undefined) io.print(say`  # ${note}`);
}

/** In one command line, because revoke and up ask: pasted line by line, the next line would be the answer. */
function printStep({ words, notes = [], commands }: Step, doubts: readonly Line[], io: Io): void {
  io.print(words);
  for (const note of [...doubts, ...notes]) io.print(say`  # ${note}`);
  for (const [at, command] of commands.entries()) io.print(say`  ${command}${at < commands.length - 1 ? " &&" : ""}`);
}
