import type { StackState } from "../audit";
import { identityOfName } from "./auditBackend";
import { exportStack, readStateFile } from "./auditSources";
import { type Command, type Io, textOf, type Values } from "./command";
import { connect, presentAccount } from "./connection";
import { withProgress } from "./progress";
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
    const { problems, revocable, place: account } = await inspectTokens(client, presentAccount(io.env), state);
    for (const problem of problems) printProblem(problem, io);
    if (problems.length === 0) io.print(say`no problems found`);
    if (account === "elsewhere") {
      io.print(say`then run this again, because another account cannot tell the state of these tokens`);
      const options = [...optionOf("stack", place.stack), ...optionOf("state", place.state)];
      io.print(say`  ${shellCommand("npx", "pulumi-event-datasets", "recover", ...options)}`);
      return 1;
    }
    io.print(problems.length === 0 ? say`to compare all stacks` : say`to fix all of this`);
    if (account === "unproven")
      io.print(
        say`  # nothing proves the account: if the creates were in this one, add --clear-pending-creates to pulumi refresh`,
      );
    const clear = account === "here" && state.pending.length > 0 ? ["--clear-pending-creates"] : [];
    // In one, because revoke and up ask: pasted line by line, the next line would be the answer.
    const fixes = problems.length === 0 ? [] : planFixes(clear, revocable, place);
    const commands = [...fixes, shellCommand("npx", "pulumi-event-datasets", "audit", "--all-stacks")];
    for (const [at, command] of commands.entries()) io.print(say`  ${command}${at < commands.length - 1 ? " &&" : ""}`);
    return problems.length === 0 ? 0 : 1;
  },
};

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

/**
 * The commands, in the order in which to run them. The tokens are revoked before the refresh: it clears the pending creates, which
 * are the proof that their tokens were left behind.
 */
function planFixes(clear: readonly string[], revocable: readonly string[], place: Place): Line[] {
  const ids = revocable.flatMap((id) => ["--id", id]);
  const stack = optionOf("stack", place.stack);
  const revoke = ["npx", "pulumi-event-datasets", "tokens", "revoke", ...ids, ...optionOf("state", place.state)];
  return [
    ...(ids.length > 0 ? [shellCommand(...revoke)] : []),
    shellCommand("pulumi", "refresh", "--yes", ...clear, ...stack),
    shellCommand("pulumi", "up", ...stack),
  ];
}

const optionOf = (name: string, value: string | undefined): string[] =>
  value === undefined ? [] : [`--${name}`, value];
