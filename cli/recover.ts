import { auditTokens, type Cure, type Finding, type ResourceWithoutId, type StackState } from "../audit";
import { identityOfName } from "./auditBackend";
import { exportStack, readStateFile } from "./auditStacks";
import type { Command, Io, Values } from "./command";
import { connect, presentAccount } from "./connection";
import { withProgress } from "./progress";
import { type Line, say, shellCommand } from "./text";

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
  'Once you are sure that a killed update has ended, "pulumi cancel" removes its lock. "pulumi state repair" fixes a damaged state. A backend on disk keeps earlier states beside the damaged one, in <stack>.json.bak and in .pulumi/backups';

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
    io.print(say`  # to fix it: revoke the token if nobody uses it (another stack may have created it)`);
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

/** Commands to paste as a whole, with the line that introduces them. */
interface Step {
  readonly words: Line;
  readonly notes?: readonly Line[];
  readonly commands: readonly Line[];
}

/** The input of a repair: a stack, by the name that the user gave. */
interface Repair {
  readonly stack: string | undefined;
  /** A file with its state. */
  readonly state: string | undefined;
  /** Findings that have steps to fix them, and findings about other accounts. */
  readonly found: readonly Finding[];
  /** Resources of other types without an id. */
  readonly others: readonly ResourceWithoutId[];
  readonly canRevoke: boolean;
}

/** The comparison of all stacks, which follows every recovery. */
const compareAll = shellCommand("npx", "pulumi-event-datasets", "audit", "--all-stacks");

const optionsOf = (repair: Repair, ...names: ("stack" | "state")[]): string[] =>
  names.flatMap((name) => (repair[name] === undefined ? [] : [`--${name}`, repair[name]]));

const revokeCommand = (ids: readonly string[], repair: Repair): Line => {
  const options = [...ids.flatMap((id) => ["--id", id]), ...optionsOf(repair, "state")];
  return shellCommand("npx", "pulumi-event-datasets", "tokens", "revoke", ...options);
};

const removeCommand = (urn: string, repair: Repair): Line =>
  shellCommand("pulumi", "state", "delete", "--disable-integrity-checking", urn, ...optionsOf(repair, "stack"));

/** The command of one step. */
function commandOf(cure: Cure, { token: { id = "" }, declared }: Finding, repair: Repair): Line {
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
function planFixes({ withoutId }: StackState, repair: Repair): Step[] {
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
  const hook = removed.length > 0 ? [say`before that, let the hook onError return false after a few attempts`] : [];
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
      ? [say`nothing proves which account the creates belong to: if it is this one, ${add}`]
      : []),
    ...(kept.some(({ token }) => token.name === undefined)
      ? [say`a create has an encrypted name: if it left no token, ${add}`]
      : []),
  ];
}
