import { availableParallelism } from "node:os";
import {
  readState,
  readTerraformState,
  type Scope,
  type StackIdentity,
  type StackState,
  type UnreadStack,
} from "../audit";
import { cover } from "../audit/coverage";
import type { UpdateStatus } from "../audit/declared";
import { nameOf } from "../audit/identity";
import { parseJson, readJsonFile } from "../audit/jsonFile";
import { defined } from "../values/defined";
import { type Backend, findBackend, findUpdate, identityOfName, type ListedStack, listStacks } from "./auditBackend";
import type { Io, Values, ValuesOf } from "./command";
import type { StateFlags } from "./manuals/audit";
import { withProgress } from "./progress";
import { runPulumi } from "./pulumi";
import { count, say } from "./text";

/** The stacks in the form that `auditTokens` takes. */
export interface Stacks {
  readonly stacks: readonly StackState[];
  readonly unread: readonly UnreadStack[];
  readonly scope: Scope;
}

/**
 * Reads the stacks that the options of an audit name.
 * @throws Error that names what cannot be read, and ambiguous states
 */
export async function readStacks(values: Values<"audit">, io: Io): Promise<Stacks> {
  const wantsAll = values["all-stacks"];
  const names = [...new Set(values.stack)];
  if (wantsAll && names.length > 0) throw new Error("--stack and --all-stacks cannot be combined");
  const files = readFiles(values, io);
  const selected = names.length + files.length === 0 ? [undefined] : names;
  const read = wantsAll
    ? await exportAll(await findBackend(io), io)
    : { stacks: await exportNamed(selected, io), unread: [] };
  const stacks = [...files, ...read.stacks];
  const scope = { wanted: wantsAll ? "all" : "named" } as const;
  cover(stacks, scope, read.unread); // what is wrong with them is said before any request is sent
  return { stacks, unread: read.unread, scope };
}

/** Reads the files of `--state` and `--terraform-state`, one after the other, so that only one large state is in memory. */
export function readFiles(values: ValuesOf<StateFlags>, io: Io): StackState[] {
  const stacks: StackState[] = [];
  for (const option of new Set(values.state)) {
    const { file, identity } = parseStateOption(option);
    io.warn(say`reading ${file}`);
    stacks.push(readStateFile(file, identity));
  }
  for (const file of new Set(values["terraform-state"])) {
    io.warn(say`reading ${file}`);
    stacks.push(readTerraformFile(file));
  }
  return stacks;
}

/** The name of an export counts: a state that was imported from another stack with --force still has its URNs. */
const nameExported = (state: StackState, known: StackIdentity): StackState => ({
  ...state,
  identity: { ...state.identity, ...defined({ ...known }) },
});

/** @param names undefined stands for the selected stack */
async function exportNamed(names: readonly (string | undefined)[], io: Io): Promise<StackState[]> {
  // Without it, the states do not name their backend, and nothing reports running updates.
  const backend = names.length === 0 ? undefined : await findBackend(io).catch(() => undefined);
  const states: StackState[] = [];
  for (const name of names) {
    io.warn(say`exporting ${labelOf(name)}`);
    const exported = await withProgress(say`exporting ${labelOf(name)}`, io.progress, exportStack(name, io));
    const state = nameExported(exported, identityOfName(name, backend));
    const update = backend && (await findUpdate({ name: nameOf(state.identity), isUpdating: undefined }, backend));
    states.push({ ...state, ...defined({ update }) });
  }
  return states;
}

/** More than the number of cores, because the engine mostly waits for its backend. */
const atOnce = Math.max(4, 2 * availableParallelism());

/** A stack of a backend at one moment, whether or not it could be read. */
export interface Reading {
  readonly name: string;
  readonly result: StackState | UnreadStack;
  /** Changes with every update of the stack; undefined if the stack was being updated. */
  readonly mark: string | undefined;
}

/**
 * Exports every stack that the Pulumi CLI lists, several at once.
 * @param before what an earlier call returned: stacks that did not change since are not exported again
 * @throws Error if they cannot be listed
 */
export async function exportAll(
  backend: Backend,
  io: Io,
  before: readonly Reading[] = [],
): Promise<Pick<Stacks, "stacks" | "unread"> & { readonly readings: readonly Reading[] }> {
  const readings: Reading[] = [];
  await visitStacks(backend, io, async (stack, at) => {
    const known = before.find(({ name }) => name === stack.name);
    const isSame = known?.mark !== undefined && known.mark === markOf(stack, await findUpdate(stack, backend));
    readings[at] = isSame ? known : await readStack(stack, backend);
  });
  const results = readings.map(({ result }) => result);
  const isRead = (result: StackState | UnreadStack): result is StackState => "tokens" in result;
  const unread = results.filter((result): result is UnreadStack => !isRead(result));
  return { stacks: results.filter(isRead), unread, readings };
}

async function readStack(stack: ListedStack, backend: Backend): Promise<Reading> {
  const { name, identity } = stack;
  const read = await exportStack(name, backend).catch((failure: Error) => failure);
  // Afterwards: an update that has begun since the list can be in the state.
  const update = await findUpdate(stack, backend);
  const mark = markOf(stack, update);
  if (read instanceof Error) return { name, result: { identity, reason: read.message }, mark };
  return { name, result: { ...nameExported(read, identity), ...defined({ update }) }, mark };
}

const markOf = ({ lastUpdate }: ListedStack, update: UpdateStatus | undefined): string | undefined =>
  typeof update === "object" ? undefined : JSON.stringify([lastUpdate, update]);

/** Visits every stack that the Pulumi CLI lists, several at once. */
export async function visitStacks(
  backend: Backend,
  io: Io,
  visit: (stack: ListedStack, at: number) => Promise<void>,
): Promise<void> {
  const names = await listStacks(backend, io);
  io.warn(say`exporting ${count(names.length, "stack")}`);
  let done = 0;
  const work = names.entries();
  const visitSome = async () => {
    for (const [at, stack] of work) {
      await visit(stack, at);
      done += 1;
      io.progress?.(say`exported ${done} of ${count(names.length, "stack")}`);
    }
  };
  await Promise.all(Array.from({ length: Math.min(atOnce, names.length) }, visitSome));
  io.progress?.(say``);
}

/** Name of an exported stack in messages. */
export const labelOf = (name: string | undefined): string =>
  name === undefined ? "the selected stack" : `stack ${name}`;

/**
 * Reads a stack with `pulumi stack export`: secrets stay encrypted, so no passphrase is needed.
 * @param name undefined: the selected stack
 * @throws Error with what the engine says
 */
export async function exportStack(name: string | undefined, io: Pick<Io, "env">): Promise<StackState> {
  const state = readState(await exportJson(name, io), labelOf(name));
  return { ...state, origin: "export" };
}

/** The output of `pulumi stack export`. */
export async function exportJson(name: string | undefined, io: Pick<Io, "env">, ...more: string[]): Promise<unknown> {
  const label = labelOf(name);
  // As one argument, so that a name is never taken for an option.
  const args = ["stack", "export", ...(name === undefined ? [] : [`--stack=${name}`]), ...more];
  return parseJson(await runPulumi(args, label, io), label);
}

/** A file of `--state`, with its stack if the option names it. */
interface StateOption {
  readonly file: string;
  readonly identity: StackIdentity | undefined;
}

/** Parses `FILE` or `ORGANIZATION/PROJECT/STACK=FILE`. A path that looks like such a name needs a leading `./`. */
export function parseStateOption(text: string): StateOption {
  const [name = "", ...rest] = text.split("=");
  const file = rest.join("=");
  const parts = name.split("/");
  if (file === "" || parts.length !== 3 || !parts.every((part) => /^\w[\w.-]*$/.test(part)))
    return { file: text, identity: undefined };
  const [organization, project, stack] = parts;
  return { file, identity: { organization, project, stack } };
}

/**
 * Reads a state file: an exported state, or a checkpoint of a self-managed backend.
 * @param known the stack of the state, if it is known
 * @throws Error that quotes nothing of the file
 */
export const readStateFile = (file: string, known?: StackIdentity): StackState =>
  readState(readJsonFile(file), file, known);

/**
 * Reads a Terraform or OpenTofu state.
 * @throws Error that quotes nothing of the file, with the command that writes a file which can be read
 */
function readTerraformFile(file: string): StackState {
  try {
    return readTerraformState(readJsonFile(file), file);
  } catch (failure) {
    throw new Error(`${(failure as Error).message}. ${terraformAdvice}`);
  }
}

const terraformAdvice =
  'Write the state with "terraform state pull >state.json", or with "tofu show -json >state.json", which decrypts it. Nothing was audited.';
