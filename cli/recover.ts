import { auditTokens, type Finding, type StackState } from "../audit";
import { findPlaces } from "../audit/account";
import { mergeStacks } from "../audit/declarations";
import { identityOfName } from "./auditBackend";
import { exportStack, readStateFile } from "./auditSources";
import type { Command, Io, Values } from "./command";
import { connect, presentAccount } from "./connection";
import { withProgress } from "./progress";
import { type Cure, compareAll, cureOf, optionOf, planFixes, type Repair, type Step } from "./recoverSteps";
import { shellCommand } from "./shell";
import { type Line, say } from "./text";

/** Audits one stack, and shows how to fix what an interrupted update left. */
export const recover: Command<"recover"> = {
  async run(values, io) {
    const state = await readWanted(values, io).catch((failure: Error) => {
      // The Pulumi CLI's own words.
      throw failure.message.includes("no stack named") ? failure : new Error(`${failure.message}. ${backendAdvice}`);
    });
    await using client = connect(io);
    const live = await client.tokens.list();
    const account = presentAccount(io.env);
    const { findings } = auditTokens({ ...account, live, stacks: [state] });
    const found = findings.flatMap((finding): Found[] => {
      const cure = cureOf(finding, state);
      return cure !== undefined || finding.rule === "elsewhere" ? [{ finding, cure }] : [];
    });
    const places = findPlaces(mergeStacks([state]), live, account);
    const repair: Repair = {
      // This folder may have another stack selected than that of the state.
      stack: values.stack ?? (values.state === undefined ? undefined : state.identity.stack),
      state: values.state,
      revocable: found.flatMap(({ finding, cure }) => (cure === "revoke" ? (finding.token.id ?? []) : [])),
      canRevoke: client.can("tokens.delete"),
      // A finding about a create names no id.
      hasElsewhere: found.some(({ finding: { rule, token } }) => rule === "elsewhere" && token.id === undefined),
      unproven: state.pending.filter((create) => !create.isAdoption && !places.isHere(create)),
    };
    for (const one of found) printFound(one, repair, io);
    const others = describeOthers(state);
    for (const line of others) io.print(line);
    const isWhole = found.every(({ cure }) => cure === undefined) && others.length === 0;
    if (isWhole && !repair.hasElsewhere) io.print(say`no problems found`);
    if (repair.hasElsewhere) {
      const options = [...optionOf("stack", repair.stack), ...optionOf("state", repair.state)];
      io.print(say`then run this again, with the settings of each account that is named above`);
      io.print(say`  # ${shellCommand("npx", "pulumi-event-datasets", "recover", ...options)}`);
    }
    const steps = isWhole ? [{ words: say`to compare all stacks`, commands: [compareAll] }] : planFixes(state, repair);
    for (const step of steps) printStep(step, io);
    return isWhole && !repair.hasElsewhere ? 0 : 1;
  },
};

interface Found {
  readonly finding: Finding;
  readonly cure: Cure | undefined;
}

/** The Pulumi CLI has to fix a state that cannot be read. */
const backendAdvice =
  'If an update was killed, "pulumi cancel" removes its lock once it has certainly ended, and "pulumi state repair" fixes a damaged state. A backend on disk keeps earlier states beside it, in <stack>.json.bak and in .pulumi/backups';

async function readWanted(values: Values<"recover">, io: Io): Promise<StackState> {
  const { state: file, stack } = values;
  if (file !== undefined) return readStateFile(file, identityOfName(stack, undefined));
  return await withProgress(say`exporting the stack`, io.progress, exportStack(stack, io));
}

function printFound({ finding, cure }: Found, repair: Repair, io: Io): void {
  io.print(say`${finding.rule}: ${finding.message}`);
  const { token, declared } = finding;
  if (declared) io.print(say`  # ${declared.urn}${token.id === undefined ? "" : `, id ${token.id}`}`);
  if (cure === "revoke" && !repair.canRevoke)
    io.print(say`  # this profile cannot revoke it: revoke it at the service before you run the commands below`);
  else if (cure) io.print(say`  # to fix it: ${commandOf(cure, finding, repair)}`);
}

function commandOf(cure: Cure, { token: { id = "" }, declared }: Finding, { stack, state }: Repair): Line {
  const options = optionOf("stack", stack);
  switch (cure) {
    case "revoke":
      return shellCommand("npx", "pulumi-event-datasets", "tokens", "revoke", "--id", id, ...optionOf("state", state));
    case "remove":
      return shellCommand("pulumi", "state", "delete", "--disable-integrity-checking", declared?.urn ?? "", ...options);
    case "look":
      return say`another stack may have created it: revoke it only if nobody uses it`;
    case "refresh":
    case "up":
      return shellCommand("pulumi", cure, ...options);
  }
}

/** Describes resources of other types without an id: nothing lists what their creates left behind. */
const describeOthers = ({ withoutId: all, pending }: StackState): Line[] =>
  all
    .filter((one) => !pending.some(({ recorded }) => recorded === one))
    .flatMap(({ declaration }) => [
      say`the create of ${declaration.urn} failed, its onError hook never returned false, and the engine recorded it without an id, so no update of the stack can run`,
      say`  # it may have left an object: look for it before you run the commands below, which remove the resource from the state`,
    ]);

/** In one command line, because revoke and up ask: pasted line by line, the next line would be the answer. */
function printStep({ words, notes = [], commands }: Step, io: Io): void {
  io.print(words);
  for (const note of notes) io.print(say`  # ${note}`);
  for (const [at, command] of commands.entries()) io.print(say`  ${command}${at < commands.length - 1 ? " &&" : ""}`);
}
