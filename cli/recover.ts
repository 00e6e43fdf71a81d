import { auditTokens, type Finding, type StackState } from "../audit";
import { identityOfName } from "./auditBackend";
import { exportStack, readStateFile } from "./auditSources";
import type { Command, Io, Values } from "./command";
import { connect, presentAccount } from "./connection";
import { withProgress } from "./progress";
import { commandOf, compareAll, optionsOf, planFixes, type Repair, type Step } from "./recoverSteps";
import { shellCommand } from "./shell";
import { say } from "./text";

/** Audits one stack, and shows how to fix what an interrupted update left behind. */
export const recover: Command<"recover"> = {
  async run(values, io) {
    const state = await readWanted(values, io).catch((failure: Error) => {
      // The Pulumi CLI's own words.
      throw failure.message.includes("no stack named") ? failure : new Error(`${failure.message}. ${backendAdvice}`);
    });
    await using client = connect(io);
    const live = await client.tokens.list();
    const { findings } = auditTokens({ ...presentAccount(io.env), live, stacks: [state] });
    const found = findings.filter(({ rule, cures }) => cures !== undefined || rule === "elsewhere");
    const repair: Repair = {
      // This folder may have another stack selected than that of the state.
      stack: values.stack ?? (values.state === undefined ? undefined : state.identity.stack),
      state: values.state,
      found,
      // Nothing lists what the creates of other types left behind.
      others: state.withoutId.filter((one) => !state.pending.some(({ recorded }) => recorded === one)),
      canRevoke: client.can("tokens.delete"),
    };
    for (const finding of found) printFinding(finding, state, repair, io);
    for (const { declaration } of repair.others) {
      io.print(
        say`the create of ${declaration.urn} failed, its onError hook never returned false, and the engine recorded it without an id, so no update of the stack can run`,
      );
      io.print(
        say`  # it may have left an object: look for it before you run the commands below, which remove the resource from the state`,
      );
    }
    const isWhole = found.every(({ cures }) => cures === undefined) && repair.others.length === 0;
    // A finding about a create names no id.
    const hasElsewhere = found.some(({ rule, token }) => rule === "elsewhere" && token.id === undefined);
    if (hasElsewhere) {
      io.print(say`then run this again, with the settings of each account that is named above`);
      io.print(
        say`  # ${shellCommand("npx", "pulumi-event-datasets", "recover", ...optionsOf(repair, "stack", "state"))}`,
      );
    } else if (isWhole) io.print(say`no problems found`);
    const steps = isWhole ? [{ words: say`to compare all stacks`, commands: [compareAll] }] : planFixes(state, repair);
    for (const step of steps) printStep(step, io);
    return isWhole && !hasElsewhere ? 0 : 1;
  },
};

/** The Pulumi CLI has to fix a state that cannot be read. */
const backendAdvice =
  'If an update was killed, "pulumi cancel" removes its lock once it has certainly ended, and "pulumi state repair" fixes a damaged state. A backend on disk keeps earlier states beside it, in <stack>.json.bak and in .pulumi/backups';

async function readWanted(values: Values<"recover">, io: Io): Promise<StackState> {
  const { state: file, stack } = values;
  if (file !== undefined) return readStateFile(file, identityOfName(stack, undefined));
  return await withProgress(say`exporting the stack`, io.progress, exportStack(stack, io));
}

function printFinding(finding: Finding, { withoutId }: StackState, repair: Repair, io: Io): void {
  const { rule, message, token, declared, cures = [] } = finding;
  io.print(say`${rule}: ${message}`);
  if (declared) io.print(say`  # ${declared.urn}${token.id === undefined ? "" : `, id ${token.id}`}`);
  const [cure] = cures;
  if (cure === "revoke" && !repair.canRevoke)
    io.print(say`  # this profile cannot revoke it: revoke it at the service before you run the commands below`);
  else if (cure === "look")
    io.print(say`  # to fix it: another stack may have created it: revoke it only if nobody uses it`);
  else if (cure && cure !== "keep") io.print(say`  # to fix it: ${commandOf(cure, finding, repair)}`);
  const recorded = withoutId.find(({ declaration }) => declaration.urn === declared?.urn);
  if (recorded === undefined || cures.includes("remove")) return;
  const command = recorded.isNeeded ? say`see the guide on troubleshooting` : commandOf("remove", finding, repair);
  io.print(say`  # once you know what became of its token, remove it from the state: ${command}`);
}

/** In one command line, because revoke and up ask: pasted line by line, the next line would be the answer. */
function printStep({ words, notes = [], commands }: Step, io: Io): void {
  io.print(words);
  for (const note of notes) io.print(say`  # ${note}`);
  for (const [at, command] of commands.entries()) io.print(say`  ${command}${at < commands.length - 1 ? " &&" : ""}`);
}
