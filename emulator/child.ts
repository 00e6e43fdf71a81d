import { spawn } from "node:child_process";
import { constants } from "node:os";

const signals = ["SIGINT", "SIGQUIT", "SIGTERM", "SIGHUP", "SIGUSR2"] as const;

/** npx passes on the signals that its whole group has received: one that comes again within this time is the same. */
const echoMs = 5_000;

/**
 * Runs a command that shares the standard streams. It gets each signal once: a terminal itself sends SIGINT and SIGQUIT to it.
 * @returns its exit code, or the signal that ended it
 * @throws Error that names the command if it cannot be started
 */
export function runChild(
  [command = "", ...args]: readonly string[],
  env: NodeJS.ProcessEnv,
): Promise<number | NodeJS.Signals> {
  const isTerminal = [process.stdin, process.stdout, process.stderr].some(({ isTTY }) => isTTY);
  const isOwnGroup = !isTerminal && process.platform !== "win32";
  const child = spawn(command, args, { stdio: "inherit", detached: isOwnGroup, env });
  const last = new Map<NodeJS.Signals, number>();
  const pass = (signal: NodeJS.Signals) => {
    const now = performance.now();
    if (now - (last.get(signal) ?? Number.NEGATIVE_INFINITY) < echoMs) return;
    last.set(signal, now);
    // The terminal has sent these to the command already.
    if (isTerminal && (signal === "SIGINT" || signal === "SIGQUIT")) return;
    child.kill(signal);
  };
  for (const signal of signals) process.on(signal, pass);
  return new Promise<number | NodeJS.Signals>((resolve, reject) => {
    child.once("error", ({ message }) => reject(new Error(`cannot run ${command}: ${message}`)));
    child.once("exit", (code, signal) => resolve(signal ?? code ?? 0));
  }).finally(() => {
    for (const signal of signals) process.off(signal, pass);
  });
}

/** Ends this process like the command: with its code, or with the code that a shell gives for its signal. */
export function endLike(ending: number | NodeJS.Signals): void {
  process.exitCode = typeof ending === "number" ? ending : 128 + constants.signals[ending];
}
