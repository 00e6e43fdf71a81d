import { availableParallelism } from "node:os";
import type { Scope, StackIdentity, StackState, UnreadStack } from "../audit";
import { cover } from "../audit/coverage";
import { defined } from "../values/defined";
import { type Backend, findBackend, identityOfName, type ListedStack, listStacks } from "./auditBackend";
import { exportStack, labelOf, parseStateOption, readStateFile } from "./auditSources";
import { type Io, textsOf, type Values } from "./command";
import { count } from "./counts";
import { withProgress } from "./progress";
import { say } from "./text";

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
export async function readStacks(values: Values, io: Io): Promise<Stacks> {
  const wantsAll = values["all-stacks"] === true;
  const names = [...new Set(textsOf(values, "stack"))];
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

/** Reads the files of `--state`, one after the other, so that only one large state is in memory. */
export function readFiles(values: Values, io: Io): StackState[] {
  const stacks: StackState[] = [];
  for (const option of new Set(textsOf(values, "state"))) {
    const { file, identity } = parseStateOption(option);
    io.warn(say`reading ${file}`);
    stacks.push(readStateFile(file, identity));
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
  const states: (readonly [string | undefined, StackState])[] = [];
  for (const name of names) {
    io.warn(say`exporting ${labelOf(name)}`);
    states.push([name, await withProgress(say`exporting ${labelOf(name)}`, io.progress, exportStack(name, io))]);
  }
  // The backend is optional here: the stack was exported already.
  const backend = names.length === 0 ? undefined : await findBackend(io).catch(() => undefined);
  return states.map(([name, state]) => nameExported(state, identityOfName(name, backend)));
}

/** More than the number of cores, because the engine mostly waits for its backend. */
const atOnce = Math.max(4, 2 * availableParallelism());

/**
 * Exports every stack that the Pulumi CLI lists, several at once.
 * @throws Error if they cannot be listed
 */
export async function exportAll(backend: Backend, io: Io): Promise<Pick<Stacks, "stacks" | "unread">> {
  const states: (StackState | undefined)[] = [];
  const unread: UnreadStack[] = [];
  await visitStacks(backend, io, async ({ name, identity }, at) => {
    try {
      states[at] = nameExported(await exportStack(name, backend), identity);
    } catch (e) {
      unread.push({ identity, reason: (e as Error).message });
    }
  });
  return { stacks: states.filter((state) => state !== undefined), unread };
}

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
