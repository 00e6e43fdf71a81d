import { readFile, writeFile } from "node:fs/promises";
import path from "node:path";

/**
 * Makes this process the only one that writes to a folder. The lock is that of an empty SQLite database: the kernel holds it for the
 * file, so it ends with its process, and is seen from other containers, too.
 * @returns a function that releases the folder
 * @throws Error if another server has it
 */
export async function lockFolder(folder: string): Promise<() => Promise<void>> {
  const file = path.join(folder, "lock");
  const owner = path.join(folder, "lock.pid");
  const open = async () => {
    await writeFile(file, "", { flag: "a", mode: 0o600 });
    return new (loadSqlite().DatabaseSync)(file);
  };
  const failWith = (failure: Error) => new Error(`${folder} cannot be locked: ${failure.message}`);
  const database = await open().catch((failure: Error) => {
    throw failWith(failure);
  });
  try {
    database.exec("PRAGMA journal_mode = OFF; PRAGMA locking_mode = EXCLUSIVE; BEGIN EXCLUSIVE");
  } catch (failure) {
    database.close();
    if ((failure as { errcode?: number }).errcode !== busy) throw failWith(failure as Error);
    const pid = await readFile(owner, "utf8").catch(() => "unknown");
    throw new Error(`${folder} is in use by another event-datasets server (process ${pid})`);
  }
  await writeFile(owner, String(process.pid), { mode: 0o600 });
  return async () => database.close();
}

/** SQLITE_BUSY: somebody else has the lock. */
const busy = 5;

/** Node.js 22 warns that its interface may change; the three calls above have been the same since it exists. */
function loadSqlite(): typeof import("node:sqlite") {
  const { emitWarning } = process;
  process.emitWarning = () => undefined;
  try {
    return require("node:sqlite") as typeof import("node:sqlite");
  } finally {
    process.emitWarning = emitWarning;
  }
}
