// @ts-check
import { spawn } from "node:child_process";
import { readdirSync, readFileSync } from "node:fs";
import { open } from "node:fs/promises";
import path from "node:path";
import { text } from "node:stream/consumers";

/**
 * The processes that an update consists of, by their command lines, the more telling first. The plugin and the host of
 * dynamic providers both count as provider host.
 */
const roles = /** @type {const} */ ({
  "language host": /(^|\/)pulumi-language-/,
  "provider host": /(^|\/)pulumi-resource-|\/dynamic-provider(\/|$)/,
  program: /@pulumi\/pulumi\/cmd\/run(\/|$)/,
  engine: /(^|\/)pulumi(\s|$)/,
});

/** @typedef {keyof typeof roles} Role */
/**
 * Wall and CPU seconds, and the peak of all processes' resident sizes. `roles` has the CPU seconds of each role. `other` is
 * the rest: processes of no role, and what a process did after it was last looked at.
 * @typedef {{ seconds: number, cpu: number, peakMiB: number, roles: Partial<Record<Role | "other", number>> }} Cost
 */

const SAMPLE_EVERY_MS = 50;
const PAGE_BYTES = 4096;
const TICKS_A_SECOND = 100;

/** A process at one moment; `started` in seconds since the machine did. @typedef {{ pid: number, parent: number, cpu: number, resident: number, started: number }} Sample */

/** @returns {Sample[]} */
export function listProcesses() {
  return readdirSync("/proc").flatMap((name) => {
    if (!/^\d+$/.test(name)) return [];
    try {
      const line = readFileSync(`/proc/${name}/stat`, "latin1");
      const fields = line
        .slice(line.lastIndexOf(")") + 2)
        .split(" ")
        .map(Number);
      const [, parent = 0] = fields;
      const cpu = ((fields[11] ?? 0) + (fields[12] ?? 0)) / TICKS_A_SECOND;
      const started = (fields[19] ?? 0) / TICKS_A_SECOND;
      return [{ pid: Number(name), parent, cpu, resident: (fields[21] ?? 0) * PAGE_BYTES, started }];
    } catch {
      return []; // it has just ended
    }
  });
}

/** @param {number} pid @returns {Role | undefined} */
export function roleOf(pid) {
  try {
    const words = readFileSync(`/proc/${pid}/cmdline`, "utf8").split("\0").slice(0, 8);
    const found = Object.entries(roles).find(([, pattern]) => words.some((word) => pattern.test(word)));
    return /** @type {Role | undefined} */ (found?.[0]);
  } catch {
    return undefined; // it has just ended
  }
}

/** Watches a process and all below it. */
class Watch {
  /** @type {Map<number, { role: Role | undefined, cpu: number }>} */
  #seen = new Map();
  peak = 0;

  /** @param {number} root */
  look(root) {
    const all = listProcesses();
    const tree = new Set([root]);
    // Whoever adopts a process comes before it only by chance.
    for (let before = 0; before !== tree.size; ) {
      before = tree.size;
      for (const { pid, parent } of all) if (tree.has(parent)) tree.add(pid);
    }
    const own = all.filter(({ pid }) => tree.has(pid) && pid !== root);
    this.peak = Math.max(
      this.peak,
      own.reduce((sum, { resident }) => sum + resident, 0),
    );
    // A process becomes another one by exec: its last command line says what it is.
    for (const { pid, cpu } of own) this.#seen.set(pid, { role: roleOf(pid) ?? this.#seen.get(pid)?.role, cpu });
  }

  /** @param {number} total */
  cpuByRole(total) {
    /** @type {Cost["roles"]} */
    const sums = {};
    for (const { role, cpu } of this.#seen.values()) if (role) sums[role] = (sums[role] ?? 0) + cpu;
    const known = Object.values(sums).reduce((sum, cpu) => sum + cpu, 0);
    return { ...sums, other: Math.max(0, total - known) };
  }
}

/**
 * Runs a command to its end, its output into a file, and measures it with all that it starts.
 * @param {string} command
 * @param {readonly string[]} args
 * @param {{ cwd: string, env: NodeJS.ProcessEnv, log: string, codes?: readonly number[] }} where
 * @returns {Promise<Cost>}
 */
export async function costOf(command, args, { cwd, env, log, codes = [0] }) {
  if (process.platform !== "linux") throw new Error("this bench reads /proc: it runs on Linux only");
  const file = await open(log, "a");
  const started = performance.now();
  const wrapper = [path.join(import.meta.dirname, "cost.py"), command, ...args];
  const child = spawn("python3", wrapper, { cwd, env, stdio: ["ignore", file.fd, file.fd, "pipe"] });
  const printed = text(/** @type {import("node:stream").Readable} */ (child.stdio[3]));
  const watch = new Watch();
  const sampling = setInterval(() => watch.look(child.pid ?? 0), SAMPLE_EVERY_MS);
  /** @type {number | null} */
  const code = await new Promise((resolve, reject) => {
    child.once("error", reject);
    child.once("close", resolve);
  }).finally(() => clearInterval(sampling));
  const seconds = (performance.now() - started) / 1000;
  await file.close();
  if (code === null || !codes.includes(code)) {
    throw new Error(`${command} ${args.join(" ")} ended with ${code}:\n${readFileSync(log, "utf8").slice(-3000)}`);
  }
  const cpu = Number(await printed);
  return { seconds, cpu, peakMiB: watch.peak / 2 ** 20, roles: watch.cpuByRole(cpu) };
}
