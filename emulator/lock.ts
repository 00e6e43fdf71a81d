import { readdir, realpath, rm, writeFile } from "node:fs/promises";
import path from "node:path";
import { setTimeout as sleep } from "node:timers/promises";

/** Folders that this very process serves: its own process id in a lock does not tell whether it still does. */
const held = new Set<string>();

const ATTEMPTS = 5;
const LONGEST_PAUSE_MS = 100;

/**
 * Makes this process the only one that writes to a folder. The lock of a process that has ended does not count.
 *
 * A lock is a file with the process id in its name. Every process first makes its own and then looks for others, so of
 * two processes the later one always sees the earlier one; no lock is ever passed on, which could not be done in one step.
 *
 * @returns what releases the folder
 */
export async function lockFolder(folder: string): Promise<() => Promise<void>> {
  const real = await realpath(folder);
  if (held.has(real)) throw inUse(folder, process.pid);
  held.add(real);
  const own = path.join(real, `lock-${process.pid}`);
  const release = async () => {
    await rm(own, { force: true });
    held.delete(real);
  };
  try {
    for (let attempt = 1; ; attempt++) {
      await writeFile(own, "", { mode: 0o600 });
      const other = await otherOwner(real);
      if (other === undefined) return release;
      if (attempt === ATTEMPTS) throw inUse(folder, other);
      // Two that start at once see each other: both step back, and not for the same time.
      await rm(own, { force: true });
      await sleep(Math.random() * LONGEST_PAUSE_MS);
    }
  } catch (failure) {
    await release();
    throw failure;
  }
}

/** A living process that has a lock on the folder, too. The locks of the dead are removed. */
async function otherOwner(folder: string): Promise<number | undefined> {
  for (const name of await readdir(folder)) {
    const pid = Number(/^lock-([1-9]\d*)$/.exec(name)?.[1]);
    if (Number.isNaN(pid) || pid === process.pid) continue;
    if (isAlive(pid)) return pid;
    await rm(path.join(folder, name), { force: true });
  }
  return undefined;
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (failure) {
    return (failure as NodeJS.ErrnoException).code !== "ESRCH"; // EPERM: alive, and somebody else's
  }
}

const inUse = (folder: string, pid: number): Error =>
  new Error(
    `${folder} is in use by process ${pid}; if that is not an event-datasets server, delete ${path.join(folder, `lock-${pid}`)}`,
  );
