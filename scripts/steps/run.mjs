// @ts-check
import { spawn } from "node:child_process";
import { once } from "node:events";
import { constants } from "node:os";
import { text } from "node:stream/consumers";

/** @typedef {import("node:child_process").ChildProcess} ChildProcess */
/** @typedef {{ cwd?: string, env?: NodeJS.ProcessEnv }} Where */
/** @typedef {{ code: number | null, signal: NodeJS.Signals | null }} Ending */

/** The running programs, each with a function that signals it. @type {Map<ChildProcess, (signal: NodeJS.Signals) => unknown>} */
const running = new Map();

/** @type {NodeJS.Signals | undefined} */
let interruption;

/** Forwards signals to the running programs. After a signal no further program is started. */
export function forwardSignals() {
  for (const signal of /** @type {const} */ (["SIGINT", "SIGTERM", "SIGHUP"])) {
    process.on(signal, () => {
      interruption = signal;
      if (running.size === 0) process.exit(128 + constants.signals[signal]);
      for (const send of running.values()) send(signal);
    });
  }
}

/** Ends what still runs beside a step that failed. */
export function stopRunning() {
  for (const send of running.values()) send("SIGTERM");
}

/** The exit code for the received signal, if any. */
export const interruptedCode = () => interruption && 128 + constants.signals[interruption];

function throwIfInterrupted() {
  if (interruption) throw new Error(`interrupted by ${interruption}`);
}

/**
 * Runs a program that shares our standard streams.
 * @param {string} command
 * @param {string[]} args
 * @param {Where & { stdoutToStderr?: boolean }} [options]
 * @returns {Promise<Ending>}
 */
export async function attach(command, args, { stdoutToStderr = false, ...where } = {}) {
  throwIfInterrupted();
  const child = spawn(command, args, { ...where, stdio: ["inherit", stdoutToStderr ? 2 : "inherit", "inherit"] });
  // A terminal sends Ctrl-C to the child itself. A second signal would make the engine stop without saving.
  running.set(child, (signal) => (signal === "SIGINT" && process.stdin.isTTY) || child.kill(signal));
  try {
    const [code, signal] = await once(child, "close");
    return { code, signal };
  } finally {
    running.delete(child);
  }
}

/**
 * Runs a program and returns its output; the error of a failure contains the last lines.
 * The program has its own process group, so that its children end at the time limit too.
 * @param {string} command
 * @param {string[]} args
 * @param {Where & { timeoutMs?: number }} [options]
 * @returns {Promise<string>}
 */
export async function capture(command, args, { timeoutMs = 3_600_000, ...where } = {}) {
  throwIfInterrupted();
  const child = spawn(command, args, { ...where, stdio: ["ignore", "pipe", "pipe"], detached: true });
  const send = (/** @type {NodeJS.Signals} */ signal) => signalGroup(child, signal);
  running.set(child, send);
  let late = false;
  const limit = setTimeout(() => {
    late = true;
    send("SIGKILL");
  }, timeoutMs);
  try {
    const [ending, stdout, stderr] = await Promise.all([once(child, "close"), text(child.stdout), text(child.stderr)]);
    const [code, signal] = ending;
    if (code === 0) return stdout;
    const how = late ? `no end after ${timeoutMs / 1000} s` : signal ? `ended by ${signal}` : `exit code ${code}`;
    throw new Error(`${command} ${args[0] ?? ""}: ${how}\n${shorten(stderr || stdout)}`.trimEnd());
  } finally {
    clearTimeout(limit);
    running.delete(child);
  }
}

/** @param {ChildProcess} child @param {NodeJS.Signals} signal */
function signalGroup({ pid }, signal) {
  try {
    if (pid !== undefined) process.kill(-pid, signal);
  } catch (failure) {
    if (/** @type {NodeJS.ErrnoException} */ (failure).code !== "ESRCH") throw failure; // ESRCH: it has just ended
  }
}

/**
 * The first and the last lines of a long text: some programs explain a failure first, others last.
 * @param {string} text
 */
function shorten(text) {
  const lines = text.trimEnd().split("\n");
  if (lines.length <= 40) return lines.join("\n");
  return [...lines.slice(0, 20), `… ${lines.length - 40} more lines …`, ...lines.slice(-20)].join("\n");
}

/**
 * Ends this process with the code or the signal of its child.
 * @param {Ending} ending
 */
export function exitLike({ code, signal }) {
  process.exitCode = code ?? 1;
  if (signal === null) return;
  process.removeAllListeners(signal);
  process.kill(process.pid, signal);
}

/**
 * Waits until each has ended, also if one fails: then a folder that they write to can be removed.
 * @param {readonly Promise<unknown>[]} works
 * @throws the first failure in their order
 */
export async function endAll(works) {
  for (const result of await Promise.allSettled(works)) if (result.status === "rejected") throw result.reason;
}
