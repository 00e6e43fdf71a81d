import { readdir, readFile, stat } from "node:fs/promises";
import os from "node:os";
import path from "node:path";
import { parseJson } from "../audit/jsonFile";
import type { RunningUpdate, UpdateStatus } from "../audit/updates";
import { defined } from "../values/defined";
import { isObject } from "../values/json";
import type { Backend, ListedStack } from "./auditBackend";

/** Whether an update of a stack is running; undefined: the backend does not show it. */
export async function findUpdate(
  stack: Pick<ListedStack, "name" | "isUpdating">,
  backend: Backend,
): Promise<UpdateStatus | undefined> {
  if (!backend.isSelfManaged) return stack.isUpdating === undefined ? undefined : stack.isUpdating ? {} : "none";
  const root = folderOf(backend);
  return root === undefined ? undefined : await readLocks(root, stack.name);
}

/** The folder of a `file://` backend; undefined for every other backend, and for a folder that is not known. */
function folderOf({ env: { PULUMI_BACKEND_URL: url = "" } }: Backend): string | undefined {
  const [, place = ""] = /^file:\/\/([^?#]*)/.exec(url) ?? [];
  const folder = place.replace(/^~(?=\/|$)/, findHome);
  return path.isAbsolute(folder) ? folder : undefined;
}

/** The home folder as the engine (3.276.0, `backend/diy/backend.go`) finds it: that of the system's user, whatever HOME says. */
function findHome(): string {
  try {
    return os.userInfo().homedir;
  } catch {
    return "~"; // the system does not know the user
  }
}

/** The engine (3.276.0, `backend/diy/lock.go`) writes one file for each update into `.pulumi/locks/<stack's full name>`. */
async function readLocks(root: string, name: string): Promise<UpdateStatus | undefined> {
  const folder = path.join(root, ".pulumi", "locks");
  try {
    await stat(path.dirname(folder));
    const files = await readdir(path.join(folder, ...name.split("/"))).catch(orNothing);
    const locks = files.filter((file) => file.endsWith(".json")).map((file) => path.join(folder, name, file));
    const updates = (await Promise.all(locks.map(readLock))).flat();
    return updates.find(({ isGone }) => !isGone) ?? updates[0] ?? "none";
  } catch {
    return undefined; // a backend that cannot be looked into tells nothing
  }
}

/** The engine removes a lock after the update, and with the last one the folder can go. */
function orNothing(failure: NodeJS.ErrnoException): [] {
  if (failure.code !== "ENOENT") throw failure;
  return [];
}

/** The update of a lock; none if the lock was just removed. A lock that is being written is empty. */
async function readLock(file: string): Promise<RunningUpdate[]> {
  const texts: string[] = await readFile(file, "utf8").then((text) => [text], orNothing);
  return texts.map((text) => updateOf(parseJson(text || "{}", "a lock")));
}

function updateOf(lock: unknown): RunningUpdate {
  const { pid, hostname, timestamp } = isObject(lock) ? lock : {};
  const time = typeof timestamp === "string" ? Date.parse(timestamp) : Number.NaN;
  const since = Number.isNaN(time) ? undefined : new Date(time).toISOString();
  const isGone = typeof pid === "number" && hostname === os.hostname() && !isRunning(pid) ? (true as const) : undefined;
  return defined({ since, isGone });
}

function isRunning(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch (failure) {
    return (failure as NodeJS.ErrnoException).code !== "ESRCH";
  }
}
