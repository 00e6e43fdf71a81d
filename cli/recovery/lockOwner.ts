import { readdir, readFile, readlink, statfs } from "node:fs/promises";
import { hostname } from "node:os";

/** The parts of a lock that name its process. Nothing in them is assumed to be of its type. */
interface Lock {
  readonly pid?: unknown;
  readonly hostname?: unknown;
  readonly timestamp?: unknown;
}

/**
 * Whether the process that took a lock still runs. A name of a host proves little: a container can have the name of its host, and
 * another machine that shares the folder can have it, too. So "ended" needs a view of every process that can have taken the lock.
 * @param file the lock
 */
export async function judgeOwner(lock: Lock, file: string): Promise<"running" | "ended" | "unknown"> {
  const { pid, timestamp } = lock;
  if (typeof pid !== "number" || lock.hostname !== hostname()) return "unknown";
  const locked = Date.parse(String(timestamp));
  if (isRunning(pid) && !(await isAnother(pid, locked))) return "running";
  const seesAll = (await isOnThisMachine(file)) && (await seesEveryProcess());
  return seesAll && !(await isInContainer(pid, locked)) ? "ended" : "unknown";
}

function isRunning(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (failure) {
    return (failure as NodeJS.ErrnoException).code === "EPERM";
  }
}

/** File systems of Linux that one machine mounts at a time: ext2 to ext4, XFS, Btrfs, ZFS, F2FS, tmpfs and overlayfs. */
const localFileSystems: readonly number[] = [
  0xef53, 0x58465342, 0x9123683e, 0x2fc12fc1, 0xf2f52010, 0x01021994, 0x794c7630,
];

const isOnThisMachine = (file: string): Promise<boolean> =>
  statfs(file).then(
    ({ type }) => localFileSystems.includes(type),
    () => false,
  );

/** The namespace of all processes of a machine, as Linux names it. Containers have others. */
const wholeMachine = "pid:[4026531836]";

/** Whether the table of processes, which only Linux has as files, shows those of every user and of every container. */
async function seesEveryProcess(): Promise<boolean> {
  const namespace = await readlink("/proc/self/ns/pid").catch(() => undefined);
  // An option of the mount hides the processes of other users, such as the first one, which is the superuser's.
  return namespace === wholeMachine && (await numbersOf(1)).length > 0;
}

/** Whether a process of a container that can have taken the lock has this number there. */
async function isInContainer(pid: number, locked: number): Promise<boolean> {
  const all = (await readdir("/proc")).filter((name) => /^\d+$/.test(name)).map(Number);
  for (const one of all) {
    const numbers = await numbersOf(one);
    if (numbers.length > 1 && numbers.at(-1) === pid && !(await isAnother(one, locked))) return true;
  }
  return false;
}

/** The numbers of a process in each of the namespaces that it is in, its own as the last; empty if it ended. */
async function numbersOf(pid: number): Promise<number[]> {
  const status = await readFile(`/proc/${pid}/status`, "utf8").catch(() => "");
  const [, numbers] = /^NSpid:\s+(.*)$/m.exec(status) ?? [];
  return numbers === undefined ? [] : numbers.split(/\s+/).map(Number);
}

/** The kernel's clock ticks in a second, as its table of processes counts; the same on every Linux. */
const ticks = 100;

/**
 * Whether a number was given to another process since a lock was created: one that started later, and is not an engine by its name.
 * The times alone would not do, because a clock that was set forward makes every process look younger. False if it cannot be told.
 */
async function isAnother(pid: number, locked: number): Promise<boolean> {
  const [stat = "", uptime] = await Promise.all(
    [`/proc/${pid}/stat`, "/proc/uptime"].map((file) => readFile(file, "utf8").catch(() => "")),
  );
  // The second field is a name in parentheses that can hold anything; the 22nd is the time of the start.
  const [name, rest] = [
    stat.slice(stat.indexOf("(") + 1, stat.lastIndexOf(")")),
    stat.slice(stat.lastIndexOf(")") + 2),
  ];
  const began = Number(rest.split(" ")[19]) / ticks;
  const age = Number(uptime?.split(" ")[0]) - began;
  // With a tolerance for clock changes.
  return !name.includes("pulumi") && Date.now() - age * 1_000 > locked + 10_000;
}
