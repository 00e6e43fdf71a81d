import { availableParallelism } from "node:os";
import type { Scope, StackIdentity, StackState, UnreadStack } from "../audit";
import { cover } from "../audit/coverage";
import { mergeIdentities } from "../audit/identity";
import { defined } from "../values/defined";
import { type Backend, findBackend, identityOfName, type ListedStack, listStacks } from "./auditBackend";
import { exportStack, labelOf, parseStateOption, readStateFile } from "./auditSources";
import { type Io, textOf, textsOf, type Values } from "./command";
import { count } from "./counts";
import { say } from "./text";

/** The stacks in the form that `auditTokens` takes. */
export interface Stacks {
  /** Every state that was read, including those that will not be used. */
  readonly stacks: readonly StackState[];
  readonly unread: readonly UnreadStack[];
  readonly scope: Scope;
}

/** @throws Error for options that contradict each other */
export function refuseMixtures(values: Values): void {
  const all = values["all-stacks"] === true;
  if (all && textsOf(values, "stack").length > 0) throw new Error("--stack and --all-stacks cannot be combined");
  const filter = ["project", "organization"].find((option) => textOf(values, option) !== undefined);
  if (!all && filter !== undefined) throw new Error(`--${filter}: needs --all-stacks`);
}

/** Whether an option names stacks. */
export const namesStacks = (values: Values): boolean =>
  values["all-stacks"] === true || textsOf(values, "stack").length + textsOf(values, "state").length > 0;

/**
 * Reads the stacks that the options name, one after the other, so that only one large state is in memory.
 * @throws Error that names what cannot be read, and ambiguous states
 */
export async function readStacks(values: Values, io: Io): Promise<Stacks> {
  refuseMixtures(values);
  const cwd = textOf(values, "cwd");
  const files = [...new Set(textsOf(values, "state"))];
  const stacks = await readFiles(files, io);
  let unread: readonly UnreadStack[] = [];
  if (values["all-stacks"] === true) {
    const exported = await exportAll(values, io);
    stacks.push(...exported.stacks);
    unread = exported.unread;
  } else {
    const names = [...new Set(textsOf(values, "stack"))];
    stacks.push(...(await exportNamed(names.length + files.length === 0 ? [undefined] : names, cwd, io)));
  }
  const [project, organization] = [textOf(values, "project"), textOf(values, "organization")];
  const wanted = values["all-stacks"] === true ? "all" : "named";
  const all: Stacks = { stacks, unread, scope: { wanted, ...defined({ project, organization }) } };
  report(all, io);
  return all;
}

/** Warns about the coverage before any request is sent. */
function report({ stacks, scope, unread }: Stacks, io: Io): void {
  const { coverage } = cover(stacks, scope, unread);
  for (const { source, insteadOf } of coverage.stacks)
    if (insteadOf !== undefined) io.warn(say`${insteadOf}: using ${source} instead`);
  for (const { source, reason } of coverage.unused) io.warn(say`${source} is not used: ${reason}`);
}

async function readFiles(options: readonly string[], io: Io): Promise<StackState[]> {
  const stacks: StackState[] = [];
  for (const option of options) {
    const { file, identity } = parseStateOption(option);
    io.warn(say`reading ${file}`);
    stacks.push(await readStateFile(file, identity));
  }
  return stacks;
}

/** @throws Error if it is the state of another stack */
const markExported = (state: StackState, known: StackIdentity): StackState => ({
  ...state,
  origin: "export",
  identity: mergeIdentities(state.identity, known, state.source),
});

/** @param names undefined stands for the selected stack */
async function exportNamed(names: readonly (string | undefined)[], cwd: string | undefined, io: Io) {
  const states: (readonly [string | undefined, StackState])[] = [];
  for (const name of names) {
    io.warn(say`exporting ${labelOf(name)}`);
    states.push([name, await exportStack(name, cwd, io, io.progress)]);
  }
  // The backend is optional here: the stack was exported already.
  const backend = names.length === 0 ? undefined : await findBackend(cwd, io).catch(() => undefined);
  return states.map(([name, state]) => markExported(state, identityOfName(name, backend)));
}

/** Every stack that the Pulumi CLI lists. */
async function exportAll(values: Values, io: Io): Promise<Pick<Stacks, "stacks" | "unread">> {
  const [cwd, project, organization] = ["cwd", "project", "organization"].map((option) => textOf(values, option));
  const backend = await findBackend(cwd, io);
  const names = await listStacks(backend, { project, organization, cwd }, io);
  io.warn(say`exporting ${count(names.length, "stack")}`);
  return exportEach(names, backend, cwd, io);
}

/** More than the number of cores, because the engine mostly waits for its backend. */
const atOnce = Math.max(4, 2 * availableParallelism());

/** Exports several stacks at once. */
async function exportEach(names: readonly ListedStack[], backend: Backend, cwd: string | undefined, io: Io) {
  const states: (StackState | undefined)[] = [];
  const unread: UnreadStack[] = [];
  let done = 0;
  const work = names.entries();
  const exportSome = async () => {
    for (const [at, { name, identity }] of work) {
      try {
        states[at] = markExported(await exportStack(name, cwd, backend, undefined), identity);
      } catch (e) {
        unread.push({ identity, reason: (e as Error).message });
      }
      done += 1;
      io.progress?.(say`exported ${done} of ${count(names.length, "stack")}`);
    }
  };
  await Promise.all(Array.from({ length: Math.min(atOnce, names.length) }, exportSome));
  io.progress?.(say``);
  return { stacks: states.filter((state) => state !== undefined), unread };
}
