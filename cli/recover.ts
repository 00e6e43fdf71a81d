import { type Backend, chooseBackend, hasCredentials, identityOfName } from "./auditBackend";
import { exportStack, readStateFile } from "./auditSources";
import { type Command, type Io, textOf, type Values } from "./command";
import { connect, presentAccount } from "./connection";
import { inspectBackend } from "./recovery/backend";
import { Commands, chainCommands } from "./recovery/commands";
import { findIdleHosts } from "./recovery/hosts";
import type { Problem } from "./recovery/problem";
import { inspectTokens } from "./recovery/tokens";
import { findWantedStack } from "./recovery/wantedStack";
import { type Line, say } from "./text";

/** Diagnoses an interrupted update and shows how to fix it. */
export const recover: Command = {
  async run(values, io) {
    const [stack, cwd, backend] = ["stack", "cwd", "backend"].map((option) => textOf(values, option));
    if (backend !== undefined && hasCredentials(backend))
      throw new Error(
        "--backend: has a user name or a password, which the printed commands would repeat: set PULUMI_BACKEND_URL instead",
      );
    const commands = new Commands({ stack, cwd, backend, state: textOf(values, "state") });
    const fixes = values.apply === true;
    const idle = await findIdleHosts(cwd ?? ".");
    const hosts = await settle(idle, fixes, io);
    const reached = await chooseBackend(backend, cwd, io).catch((failure: Error) => {
      io.warn(say`the backend's files were not inspected: ${failure.message}`);
      return undefined;
    });
    // An update that is running has pending creates, too.
    if (reached && reached.folder === undefined)
      io.warn(
        say`${reached.address} was not inspected, because it is not on this disk: make sure that no update of the stack is running`,
      );
    const wanted = await findWantedStack(stack, cwd ?? ".");
    const { problems: files, others } =
      reached?.folder === undefined
        ? { problems: [], others: [] }
        : await inspectBackend(reached.folder, wanted, commands);
    for (const name of others) io.warn(say`left out: ${name} has problems too; diagnose it with --stack ${name}`);
    const left = await settle(files, fixes, io);
    // The state cannot be read before the damage is fixed; the next run shows the rest.
    if (left.length > 0 && textOf(values, "state") === undefined) {
      io.print(say`then run this again, because the state can only be read after that`);
      return finish([...hosts, ...left], commands.again(), io);
    }

    const state = await stateOf(values, reached, io);
    // This folder may have another stack selected than that of the state.
    const own =
      stack === undefined && textOf(values, "state") !== undefined ? commands.forStack(state.identity.stack) : commands;
    await using client = connect(io);
    const { problems, isRightPlace } = await inspectTokens(client, presentAccount(io.env), state, own);
    if (state.pending.length > 0 && isRightPlace) adviseAudit(own, io);
    if (idle.length + files.length + problems.length === 0) io.print(say`no problems found`);
    const rest = [...hosts, ...left, ...(await settle(problems, false, io))];
    if (!isRightPlace) {
      io.print(say`then run this again, because another account cannot tell the state of these tokens`);
      return finish(rest, own.again(), io);
    }
    io.print(say`then, to deploy the program`);
    printSteps(io, undefined, chainCommands(own.pulumi("refresh"), own.pulumi("up")));
    io.print(say`and, to find tokens that no stack declares,`);
    return finish(rest, own.auditAll(), io);
  },
};

/** Clearing a pending create removes the proof that its token was left behind. */
function adviseAudit(commands: Commands, io: Io): void {
  io.print(say`first, while the pending creates are recorded`);
  const note = say`after a create is cleared, an audit reports its token as "undeclared" instead of "orphaned"`;
  printSteps(io, note, commands.own("audit"));
}

/** Prints indented lines that can be pasted into a shell: commands, and comments for a person. */
function printSteps(io: Io, note: Line | undefined, remedy: Line | undefined): void {
  if (note !== undefined) io.print(say`  # ${note}`);
  if (remedy !== undefined) io.print(say`  ${remedy}`);
}

/** @throws Error for a file with the state of another stack than the named one */
const stateOf = (values: Values, backend: Backend | undefined, io: Io) => {
  const [file, stack] = [textOf(values, "state"), textOf(values, "stack")];
  return file === undefined
    ? exportStack(stack, textOf(values, "cwd"), backend ?? io, io.progress)
    : readStateFile(file, identityOfName(stack, undefined));
};

/** Prints the problems and runs the allowed fixes. Returns the remaining problems. */
async function settle(problems: readonly Problem[], fixes: boolean, io: Io): Promise<Problem[]> {
  const left: Problem[] = [];
  for (const problem of problems) {
    io.print(problem.found);
    if (fixes && problem.apply && problem.remedy) {
      await problem.apply();
      io.print(say`  # done: ${problem.remedy}`);
      printSteps(io, problem.note, undefined);
    } else {
      left.push(problem);
      printSteps(io, problem.note, problem.remedy);
    }
  }
  return left;
}

function finish(left: readonly Problem[], next: Line, io: Io): number {
  printSteps(io, undefined, next);
  return left.length === 0 ? 0 : 1;
}
