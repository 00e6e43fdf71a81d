import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { constants } from "node:os";

/** How a command ended: its exit code, or the signal that ended it. */
export type Ending = number | NodeJS.Signals;

/** The signals to pass on to the command. A terminal sends the first kind to all its foreground processes by itself. */
const byTerminal = ["SIGINT", "SIGQUIT"] as const;
const byOthers = ["SIGTERM", "SIGHUP", "SIGUSR2"] as const;

/** A signal that comes again within this time, in milliseconds, is the same one: npx passes on what we get ourselves, too. */
const echoTime = 5_000;

/**
 * Runs a command that shares our standard streams and gets the signals that we get.
 * @throws Error of the system if it cannot be started
 */
export async function runChild([command = "", ...args]: readonly string[]): Promise<Ending> {
  // Nobody sits at the terminal that a CI system may give, and its signals come from the system, for a whole process group.
  const terminal = !process.env.CI && [process.stdin, process.stdout, process.stderr].some(({ isTTY }) => isTTY);
  let child: ChildProcess | undefined;
  // On a terminal, the command has received Ctrl-C already. A second one makes the Pulumi engine stop without saving.
  const ignore = () => undefined;
  const passed = new Map<NodeJS.Signals, number>();
  const pass = (signal: NodeJS.Signals) => {
    const now = performance.now();
    if (now - (passed.get(signal) ?? Number.NEGATIVE_INFINITY) < echoTime) return;
    passed.set(signal, now);
    child?.kill(signal);
  };
  const listeners = [
    ...byTerminal.map((signal) => [signal, terminal ? ignore : pass] as const),
    ...byOthers.map((signal) => [signal, pass] as const),
  ];
  // First: a signal that comes while the command starts would end us alone.
  for (const [signal, listener] of listeners) process.on(signal, listener);
  try {
    // In a process group of its own, or a signal for our whole group would reach it twice. On a terminal it needs ours.
    const detached = !terminal && process.platform !== "win32";
    child = spawn(command, args, { stdio: "inherit", detached });
    const ended = new Promise<Ending>((resolve) => child?.once("exit", (code, signal) => resolve(signal ?? code ?? 0)));
    await once(child, "spawn");
    child.on("error", ignore); // of a signal that may not be delivered: the command goes on
    return await ended;
  } finally {
    for (const [signal, listener] of listeners) process.off(signal, listener);
  }
}

/** Ends this process as the command ended: with its exit code, its signal, or the code that a shell gives for the signal. */
export function endLike(ending: Ending): void {
  if (typeof ending === "number") {
    process.exitCode = ending;
    return;
  }
  // For other signals, exit with the code that a shell would use.
  process.exitCode = 128 + constants.signals[ending];
  if (ending === "SIGINT" || ending === "SIGTERM" || ending === "SIGHUP") process.kill(process.pid, ending);
}
