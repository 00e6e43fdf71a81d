import { readdir } from "node:fs/promises";
import path from "node:path";
import { onlyOrganization } from "../auditBackend";
import { say } from "../text";
import type { Commands } from "./commands";
import { inspectFile } from "./damage";
import { inspectLock } from "./locks";
import type { Problem } from "./problem";
import { ownerOf, type WantedStack } from "./wantedStack";

/** The problems of the wanted stack, and the names of other stacks with problems. */
export interface BackendProblems {
  readonly problems: readonly Problem[];
  readonly others: readonly string[];
}

/** The folders in which a backend keeps its files. If it is in the home, `.pulumi` contains plugins and much else, too. */
const folders = ["stacks", "locks", "backups", "history"];

/** The paths of a backend's files below its folder. */
async function listFiles(folder: string): Promise<string[]> {
  const present = await readdir(path.join(folder, ".pulumi")).catch((failure: NodeJS.ErrnoException) => {
    throw new Error(`${folder}: is not a backend on disk (${failure.code}): .pulumi cannot be listed`);
  });
  const lists = folders
    .filter((name) => present.includes(name))
    .map(async (name) => {
      const files = await readdir(path.join(folder, ".pulumi", name), { recursive: true });
      return files.map((file) => path.join(".pulumi", name, file));
    });
  return (await Promise.all(lists)).flat().sort();
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
  const wanted: string[] = [];
  const others = new Map<string, string[]>();
  for (const inside of await listFiles(folder)) {
    const owner = ownerOf(inside);
    if (stack !== undefined && owner !== undefined && owner.stack !== stack) continue;
    if (project === undefined || owner?.project === undefined || owner.project === project) wanted.push(inside);
    else {
      const name = `${onlyOrganization}/${owner.project}/${owner.stack}`;
      others.set(name, [...(others.get(name) ?? []), inside]);
    }
  }
  const damaged: string[] = [];
  for (const [name, files] of others) {
    const { damage, locks } = await inspectFiles(folder, files, commands);
    // A lock without a remedy belongs to an update that may still be running, which is no problem of this stack.
    if (damage.length > 0 || locks.some(({ remedy }) => remedy !== undefined)) damaged.push(name);
  }
  const { damage, locks } = await inspectFiles(folder, wanted, commands);
  // Damage comes first: it makes every command fail.
  return { problems: [...damage, ...locks], others: damaged };
}

async function inspectFiles(folder: string, files: readonly string[], commands: Commands) {
  const inspect = async (look: (inside: string, file: string) => Promise<Problem[]>) =>
    (await Promise.all(files.map((inside) => look(inside, path.join(folder, inside))))).flat();
  const damage = await inspect(inspectFile);
  const locks = await inspect((inside, file) => inspectLock(inside, file, commands));
  // A file that an update is writing looks truncated too, so it is not replaced while an update may run.
  const mayRun = locks.some(({ apply }) => apply === undefined);
  return { damage: mayRun ? damage.map(leaveToPerson) : damage, locks };
}

/** Prints the fix as a comment. It must come before the lock is removed, but only a person can tell whether the update ended. */
const leaveToPerson = ({ found, remedy }: Problem): Problem => {
  const note = say`a lock below belongs to an update that may still be running`;
  return { found, note: remedy === undefined ? note : say`${note}: make sure that it ended; then: ${remedy}` };
};
