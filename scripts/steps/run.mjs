// @ts-check
import { spawn } from "node:child_process";
import { constants } from "node:os";

/** @typedef {import("node:child_process").ChildProcess} ChildProcess */
/** @typedef {{ cwd?: string, env?: NodeJS.ProcessEnv }} Where */
/** @typedef {{ code: number | null, signal: NodeJS.Signals | null }} Ending */

/** The running programs, each with a function that signals it. @type {Map<ChildProcess, (signal: NodeJS.Signals) => void>} */
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
  for (const send of running.values()) {
    try {
      send("SIGTERM");
    } catch (failure) {
      if (/** @type {NodeJS.ErrnoException} */ (failure).code !== "ESRCH") throw failure; // ESRCH: it has just ended
    }
  }
}

/** The exit code for the received signal, if any. */
export const interruptedCode = () => interruption && 128 + constants.signals[interruption];

/**
 * Runs a program that shares our standard streams.
 * @param {string} command
 * @param {string[]} args
 * @param {Where & { stdoutToStderr?: boolean }} [options]
 * @returns {Promise<Ending>}
 */
export function attach(command, args, { stdoutToStderr = false, ...where } = {}) {
  return new Promise((resolve, reject) => {
    if (interruption) throw new Error(`interrupted by ${interruption}`);
    const child = spawn(command, args, { ...where, stdio: ["inherit", stdoutToStderr ? 2 : "inherit", "inherit"] });
    running.set(child, (signal) => {
      // A terminal sends Ctrl-C to the child itself. A second signal would make the engine stop without saving.
      if (signal !== "SIGINT" || !process.stdin.isTTY) child.kill(signal);
    });
    child.once("error", (failure) => {
      running.delete(child);
      reject(failure);
    });
    child.once("close", (code, signal) => {
      running.delete(child);
      resolve({ code, signal });
    });
  });
}

/**
 * Runs a program and returns its output; the error of a failure contains the last lines.
 * The program has its own process group, so that its children end at the time limit too.
 * @param {string} command
 * @param {string[]} args
 * @param {Where & { timeoutMs?: number }} [options]
 * @returns {Promise<string>}
 */
export function capture(command, args, { timeoutMs = 3_600_000, ...where } = {}) {
  return new Promise((resolve, reject) => {
    if (interruption) throw new Error(`interrupted by ${interruption}`);
    const child = spawn(command, args, { ...where, stdio: ["ignore", "pipe", "pipe"], detached: true });
    const { stdout, stderr } = { stdout: collect(child.stdout), stderr: collect(child.stderr) };
    /** @param {NodeJS.Signals} signal */
    const send = (signal) => void (child.pid !== undefined && process.kill(-child.pid, signal));
    let late = false;
    const limit = setTimeout(() => {
      late = true;
      send("SIGKILL");
    }, timeoutMs);
    running.set(child, send);
    const ended = () => {
      clearTimeout(limit);
      running.delete(child);
    };
    child.once("error", (failure) => {
      ended();
      reject(failure);
    });
    child.once("close", (code, signal) => {
      ended();
      if (code === 0) return resolve(stdout());
      const how = late ? `no end after ${timeoutMs / 1000} s` : signal ? `ended by ${signal}` : `exit code ${code}`;
      reject(new Error(`${command} ${args[0] ?? ""}: ${how}\n${ends(stderr() || stdout())}`.trimEnd()));
    });
  });
}

/** @param {import("node:stream").Readable} stream */
function collect(stream) {
  let text = "";
  stream.setEncoding("utf8").on("data", (chunk) => {
    text += chunk;
  });
  return () => text;
}

/**
 * The first and the last lines of a long text: some programs explain a failure first, others last.
 * @param {string} text
 */
function ends(text) {
  const lines = text.trimEnd().split("\n");
  if (lines.length <= 40) return lines.join("\n");
  return [...lines.slice(0, 20), `… ${lines.length - 40} more lines …`, ...lines.slice(-20)].join("\n");
}

/**
 * Ends this process with the code or the signal of its child.
 * @param {Ending} ending
 */
export function exitLike({ code, signal }) {
  if (signal === null) {
    process.exitCode = code ?? 1;
    return;
  }
  process.removeAllListeners(signal);
  process.kill(process.pid, signal);
}
