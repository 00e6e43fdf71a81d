import { link, readFile, realpath, rename, rm, writeFile } from "node:fs/promises";
import path from "node:path";

/** Folders that this very process serves: its own process id in a lock file does not tell whether it still does. */
const held = new Set<string>();

/**
 * Makes this process the only one that writes to a folder. The lock of a process that has ended is taken over.
 * @returns what releases the folder
 */
export async function lockFolder(folder: string): Promise<() => Promise<void>> {
  const file = path.join(await realpath(folder), "lock");
  const inUse = (pid: string | number) =>
    new Error(`${folder} is in use by process ${pid}; if that is no event-datasets server, delete ${file}`);
  if (held.has(file)) throw inUse(process.pid);
  held.add(file);
  try {
    while (!(await create(file))) {
      const owner = await ownerOf(file);
      if (owner === undefined) continue; // released since
      if (isAlive(owner)) throw inUse(owner);
      await setAside(file, owner);
    }
  } catch (failure) {
    held.delete(file);
    throw failure;
  }
  return async () => {
    await rm(file, { force: true });
    held.delete(file);
  };
}

/** Linked into place, so that a lock never exists without its process id. */
async function create(file: string): Promise<boolean> {
  const own = `${file}.${process.pid}`;
  await writeFile(own, `${process.pid}\n`, { mode: 0o600 });
  try {
    await link(own, file);
    return true;
  } catch (failure) {
    if (codeOf(failure) === "EEXIST") return false;
    throw failure;
  } finally {
    await rm(own, { force: true });
  }
}

/** Two processes may find the same stale lock: the slower one must not remove the new lock of the faster one. */
async function setAside(file: string, owner: string): Promise<void> {
  const aside = `${file}.stale.${process.pid}`;
  try {
    await rename(file, aside);
    if ((await ownerOf(aside)) !== owner) await link(aside, file);
  } catch (failure) {
    if (codeOf(failure) !== "ENOENT") throw failure; // the other process was faster
  } finally {
    await rm(aside, { force: true });
  }
}

async function ownerOf(file: string): Promise<string | undefined> {
  try {
    return (await readFile(file, "utf8")).trim();
  } catch (failure) {
    if (codeOf(failure) === "ENOENT") return undefined;
    throw failure;
  }
}

/** A lock with this process's own id that it does not hold is left from an earlier process: containers reuse ids. */
function isAlive(owner: string): boolean {
  const pid = Number(owner);
  if (!Number.isSafeInteger(pid) || pid <= 0 || pid === process.pid) return false;
  try {
    process.kill(pid, 0);
    return true;
  } catch (failure) {
    return codeOf(failure) !== "ESRCH"; // EPERM: alive, and somebody else's
  }
}

const codeOf = (failure: unknown): unknown => (failure as NodeJS.ErrnoException).code;
