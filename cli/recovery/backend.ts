import { copyFile, readdir, readFile, rename, rm, stat } from "node:fs/promises";
import { hostname } from "node:os";
import path from "node:path";
import { isObject } from "../../values/json";
import { onlyOrganization } from "../auditBackend";
import { shellCommand } from "../shell";
import { say } from "../text";
import { type Commands, chainCommands } from "./commands";
import type { Problem } from "./problem";
import { ownerOf, type WantedStack } from "./wantedStack";

/** The problems of the wanted stack, and which other stacks of the backend have problems. */
export interface BackendProblems {
  readonly problems: readonly Problem[];
  readonly others: readonly string[];
}

/**
 * Finds the traces of an interruption in a backend's folder: a lock, an empty file of attributes, which makes every command
 * fail with "EOF", and a checkpoint that a full disk cut off, beside the one before it. Measured with the CLI 3.259.
 */
export async function inspectBackend(
  folder: string,
  { project, stack }: WantedStack,
  commands: Commands,
): Promise<BackendProblems> {
  const listed = (await readdir(path.join(folder, ".pulumi"), { recursive: true })).sort();
  const wanted: string[] = [];
  const others = new Map<string, string[]>();
  for (const inside of listed.map((file) => path.join(".pulumi", file))) {
    const owner = ownerOf(inside);
    if (stack !== undefined && owner !== undefined && owner.stack !== stack) continue;
    if (project === undefined || owner?.project === undefined || owner.project === project) wanted.push(inside);
    else {
      const name = `${onlyOrganization}/${owner.project}/${owner.stack}`;
      others.set(name, [...(others.get(name) ?? []), inside]);
    }
  }
  const damaged: string[] = [];
  for (const [name, files] of others) if ((await inspectFiles(folder, files, commands)).length > 0) damaged.push(name);
  return { problems: await inspectFiles(folder, wanted, commands), others: damaged };
}

async function inspectFiles(folder: string, files: readonly string[], commands: Commands): Promise<Problem[]> {
  const inspect = async (look: (inside: string, file: string) => Promise<Problem[]>) =>
    (await Promise.all(files.map((inside) => look(inside, path.join(folder, inside))))).flat();
  const [damage, locks] = [
    await inspect(inspectFile),
    await inspect((inside, file) => inspectLock(inside, file, commands)),
  ];
  // A file that an update is writing looks cut off too: while one may run, nothing is put in its place.
  const mayRun = locks.some(({ apply }) => apply === undefined);
  // Damage comes first: it makes every command fail.
  return [...(mayRun ? damage.map(leaveToPerson) : damage), ...locks];
}

/** As a comment: the damage hinders what clears the lock too, so a person who knows that the update ended needs the line. */
const leaveToPerson = ({ found, remedy }: Problem): Problem => {
  const note = say`a lock below is of an update that may still run`;
  return { found, note: remedy === undefined ? note : say`${note}: make sure that it ended; then: ${remedy}` };
};

async function inspectFile(inside: string, file: string): Promise<Problem[]> {
  if (file.endsWith(".json.attrs") && (await stat(file)).size === 0) {
    return [
      {
        found: say`${inside} is empty: every command ends with EOF`,
        remedy: shellCommand("rm", file),
        apply: () => rm(file),
      },
    ];
  }
  return stateFile.test(inside) ? inspectCheckpoint(inside, file) : [];
}

/** A stack's state in a backend's folder, with its project and name. */
const stateFile = /^\.pulumi[/\\]stacks[/\\](.*)\.json$/s;

/** The lock of a stack, below the stack's own name: `organization/web/prod`, or `prod` in a backend of old. */
const lockFile = /^\.pulumi[/\\]locks[/\\](.*)[/\\][^/\\]*\.json$/s;

const stackOfLock = (inside: string): string => (lockFile.exec(inside)?.[1] ?? "").split(path.sep).join("/");

async function inspectLock(inside: string, file: string, commands: Commands): Promise<Problem[]> {
  if (!lockFile.test(inside)) return [];
  const lock = await readJson(file);
  const { pid, hostname: host, timestamp } = isObject(lock) ? lock : {};
  const stack = stackOfLock(inside);
  const remedy = commands.forStack(stack).pulumi("cancel", "--yes");
  if (typeof pid !== "number" || host !== hostname()) {
    const owner = typeof host === "string" ? `on ${host}` : "somewhere";
    return [
      {
        found: say`stack ${stack} is locked by an update ${owner}: whether it still runs cannot be seen from here`,
        note: say`make sure that it ended; then: ${remedy}`,
      },
    ];
  }
  if (isRunning(pid) && !(await hasStartedAfter(pid, Date.parse(String(timestamp))))) {
    return [
      {
        found: say`stack ${stack} is locked by process ${pid}, which is running`,
        note: say`wait for that update, or end it; do not cancel the lock`,
      },
    ];
  }
  return [{ found: say`${inside} is the lock of an update that ended`, remedy, apply: () => rm(file) }];
}

async function inspectCheckpoint(inside: string, file: string): Promise<Problem[]> {
  if ((await readJson(file)) !== undefined) return [];
  const backup = await findWholeState(inside, file);
  const isCutOff = say`${inside} is cut off`;
  if (backup === undefined)
    return [{ found: say`${isCutOff}, and so is its .bak`, note: say`restore it from a copy of your own` }];
  return [
    {
      found:
        backup === `${file}.bak`
          ? say`${isCutOff}; its .bak holds the state before`
          : say`${isCutOff}, and so is its .bak; the state after an earlier update was kept`,
      note: say`an audit will report the tokens created since then as "undeclared"`,
      remedy: chainCommands(shellCommand("mv", file, `${file}.broken`), shellCommand("cp", backup, file)),
      apply: async () => {
        await rename(file, `${file}.broken`);
        await copyFile(backup, file);
      },
    },
  ];
}

/**
 * The newest whole state of a stack beside one that is cut off: its .bak, the state before, or else what the engine kept after an
 * update. On a full disk it writes a state that is cut off over and over, and each time the one before to the .bak, until that is
 * cut off as well.
 */
async function findWholeState(inside: string, file: string): Promise<string | undefined> {
  for (const candidate of [`${file}.bak`, ...(await findKeptStates(inside, file))]) {
    if ((await readJson(candidate)) !== undefined) return candidate;
  }
  return undefined;
}

/** The newest first. `.pulumi/stacks/PROJECT/STACK.json` has its own below `.pulumi/backups/PROJECT/STACK` and in the history. */
async function findKeptStates(inside: string, file: string): Promise<string[]> {
  const [, stack = ""] = stateFile.exec(inside) ?? [];
  const backend = path.join(file.slice(0, -inside.length), ".pulumi");
  const kept: { readonly file: string; readonly at: bigint }[] = [];
  for (const [place, pattern] of [
    ["backups", /\.(\d+)\.json$/],
    ["history", /-(\d+)\.checkpoint\.json$/],
  ] as const) {
    const folder = path.join(backend, place, stack);
    for (const name of await readdir(folder).catch(() => [])) {
      const [, at] = pattern.exec(name) ?? [];
      if (at !== undefined) kept.push({ file: path.join(folder, name), at: BigInt(at) });
    }
  }
  return kept.sort((a, b) => (a.at > b.at ? -1 : 1)).map((one) => one.file);
}

/** The JSON of a file; undefined if there is none. */
const readJson = (file: string): Promise<unknown> =>
  readFile(file, "utf8").then(
    (text) => {
      try {
        return JSON.parse(text) as unknown;
      } catch {
        return undefined;
      }
    },
    () => undefined,
  );

function isRunning(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (failure) {
    return (failure as NodeJS.ErrnoException).code === "EPERM";
  }
}

/** The kernel's clock ticks in a second, as its table of processes counts; the same on every Linux. */
const ticks = 100;

/** Whether a process began after a lock was taken: its number was given anew. False where that cannot be seen. */
async function hasStartedAfter(pid: number, locked: number): Promise<boolean> {
  const [stat, uptime] = await Promise.all(
    [`/proc/${pid}/stat`, "/proc/uptime"].map((file) => readFile(file, "utf8").catch(() => "")),
  );
  // The 22nd field; the second is a name in parentheses that can hold anything.
  const began = Number(stat?.slice(stat.lastIndexOf(")") + 2).split(" ")[19]) / ticks;
  const age = Number(uptime?.split(" ")[0]) - began;
  // A clock that was set, or a tick: what is close is not told apart.
  return Date.now() - age * 1_000 > locked + 10_000;
}
