import { randomBytes } from "node:crypto";
import { chmod, type FileHandle, open, readdir, realpath, rm, stat } from "node:fs/promises";
import { connect, createServer, type Server } from "node:net";
import path from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { hashOf } from "./hash";

const longestPauseMs = 100;

/**
 * Makes this process the only one that writes to a folder. A lock is a socket in the folder. The kernel closes it when its
 * process exits, so a lock that accepts connections belongs to a living process, even in another container.
 *
 * Every process first creates its own lock and then looks for others, so of two processes the later one always sees the
 * earlier one. Locks are never handed over, because that would take more than one step.
 *
 * A process that sees others releases its lock and looks at theirs a second time. Those that are still there belong to a
 * server, or to a process that is about to look a second time too. The last of them that does finds nobody, so one serves.
 *
 * @returns a function that releases the folder
 * @throws Error if another server has it
 */
export async function lockFolder(folder: string): Promise<() => Promise<void>> {
  const real = await realpath(folder);
  if (process.platform === "win32") return await lockPipe(real);
  await using place = await Place.open(real);
  for (;;) {
    const own = `lock-${process.pid}-${randomBytes(4).toString("hex")}`;
    const server = await listen(place.addressOf(own)).catch((failure: NodeJS.ErrnoException) => {
      throw new Error(`${folder} cannot be locked by a socket in it: ${failure.code}`);
    });
    const release = async () => {
      await rm(path.join(real, own), { force: true });
      await closeServer(server);
    };
    let others: readonly string[];
    try {
      await chmod(path.join(real, own), 0o600);
      others = await findOthers(place, own);
      // Another process may have removed it as dead, before it accepted connections.
      const isThere = others.length === 0 && (await stat(path.join(real, own)).catch(() => undefined));
      if (isThere) return release;
    } catch (failure) {
      await release();
      throw failure;
    }
    await release();
    // Of two processes that saw each other, the one with the longer pause finds the other one's lock gone.
    await sleep(Math.random() * longestPauseMs);
    for (const other of others)
      if (await takesConnections(place.addressOf(other))) throw inUseError(folder, lockName.exec(other)?.[1]);
  }
}

/** A folder, by a path that is short enough for the address of a socket: 107 bytes on Linux, 103 elsewhere. */
class Place implements AsyncDisposable {
  readonly folder: string;
  readonly #handle: FileHandle | undefined;
  readonly #short: string;

  private constructor(folder: string, handle: FileHandle | undefined) {
    this.folder = folder;
    this.#handle = handle;
    const relative = path.relative(process.cwd(), folder) || ".";
    this.#short = handle ? `/proc/self/fd/${handle.fd}` : relative.length < folder.length ? relative : folder;
  }

  static async open(folder: string): Promise<Place> {
    return new Place(folder, process.platform === "linux" ? await open(folder, "r") : undefined);
  }

  addressOf(name: string): string {
    return path.join(this.#short, name);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#handle?.close();
  }
}

/** The name of a lock, with the number of its process. */
const lockName = /^lock-(\d+)/;

/** The locks of living processes. Those of dead ones are removed. */
async function findOthers(place: Place, own: string): Promise<readonly string[]> {
  const living: string[] = [];
  for (const name of await readdir(place.folder)) {
    if (!lockName.test(name) || name === own) continue;
    if (await takesConnections(place.addressOf(name))) living.push(name);
    else await rm(path.join(place.folder, name), { force: true });
  }
  return living;
}

function takesConnections(address: string): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect(address, () => {
      socket.destroy();
      resolve(true);
    });
    // Any other failure, such as a full queue, comes from a living process.
    const dead = ["ECONNREFUSED", "ENOENT", "ENOTSOCK"];
    socket.once("error", ({ code = "" }: NodeJS.ErrnoException) => resolve(!dead.includes(code)));
  });
}

function listen(address: string): Promise<Server> {
  const server = createServer((socket) => socket.destroy());
  return new Promise((resolve, reject) => {
    server.once("error", reject);
    // The lock must not keep the process alive.
    server.unref().listen(address, () => resolve(server));
  });
}

const closeServer = (server: Server): Promise<void> => new Promise((resolve) => server.close(() => resolve()));

/** Windows has no sockets in folders, but it has pipes that only one process can create. */
async function lockPipe(folder: string): Promise<() => Promise<void>> {
  const name = `\\\\.\\pipe\\event-datasets-${hashOf(folder.toLowerCase()).toString("hex")}`;
  const server = await listen(name).catch((failure: NodeJS.ErrnoException) => {
    throw failure.code === "EADDRINUSE" ? inUseError(folder, undefined) : failure;
  });
  return () => closeServer(server);
}

const inUseError = (folder: string, pid: string | undefined): Error =>
  new Error(`${folder} is in use by another event-datasets server${pid === undefined ? "" : ` (process ${pid})`}`);
