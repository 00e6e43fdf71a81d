// @ts-check
// What a command costs with all that it starts: the engine starts the hosts, the hosts start Node.js.
import { spawn } from "node:child_process";
import { readdirSync, readFileSync } from "node:fs";
import { open } from "node:fs/promises";
import path from "node:path";
import { text } from "node:stream/consumers";

/** @typedef {{ seconds: number, cpu: number, peakMiB: number }} Cost wall and CPU seconds; peak of all processes' resident sizes */

const sampleEvery = 100;
const pageSize = 4096;

/**
 * The fields of a process in /proc from its state on.
 * @param {string | number} pid
 */
function statOf(pid) {
  try {
    const line = readFileSync(`/proc/${pid}/stat`, "latin1");
    return line.slice(line.lastIndexOf(")") + 2).split(" ");
  } catch {
    return undefined; // it has just ended
  }
}

/**
 * The resident sizes of a process and of all below it, in bytes; what they share counts for each.
 * @param {number} root
 */
function residentSize(root) {
  /** @type {Map<number, number[]>} */
  const children = new Map();
  /** @type {Map<number, number>} */
  const sizes = new Map();
  for (const name of readdirSync("/proc")) {
    const fields = /^\d+$/.test(name) ? statOf(name) : undefined;
    if (fields === undefined) continue;
    const [pid, parent] = [Number(name), Number(fields[1])];
    children.set(parent, [...(children.get(parent) ?? []), pid]);
    sizes.set(pid, Number(fields[21]) * pageSize);
  }
  const tree = [root];
  for (const pid of tree) tree.push(...(children.get(pid) ?? []));
  return tree.reduce((total, pid) => total + (sizes.get(pid) ?? 0), 0);
}

/**
 * Runs a command to its end, its output into a file.
 * @param {string} command
 * @param {string[]} args
 * @param {{ cwd: string, env: NodeJS.ProcessEnv, log: string }} where
 * @returns {Promise<Cost>}
 */
export async function costOf(command, args, { cwd, env, log }) {
  const file = await open(log, "a");
  const started = performance.now();
  const wrapper = [path.join(import.meta.dirname, "cost.py"), command, ...args];
  const child = spawn("python3", wrapper, { cwd, env, stdio: ["ignore", file.fd, file.fd, "pipe"] });
  const printed = text(/** @type {import("node:stream").Readable} */ (child.stdio[3]));
  let peak = 0;
  const sampling = setInterval(() => {
    peak = Math.max(peak, residentSize(child.pid ?? 0));
  }, sampleEvery);
  /** @type {number | null} */
  const code = await new Promise((resolve, reject) => {
    child.once("error", reject);
    child.once("close", resolve);
  }).finally(() => clearInterval(sampling));
  const seconds = (performance.now() - started) / 1000;
  await file.close();
  if (code !== 0) {
    throw new Error(`${command} ${args.join(" ")} ended with ${code}:\n${readFileSync(log, "utf8").slice(-3000)}`);
  }
  return { seconds, cpu: Number(await printed), peakMiB: peak / 2 ** 20 };
}
