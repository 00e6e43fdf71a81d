import { workerData } from "node:worker_threads";

/**
 * Exits the engine's process after the emulator's process exited. It has its own thread, because a query may keep the main
 * thread busy, and the files stay locked as long as the process lives.
 */
const { parent, everyMs } = workerData as { readonly parent: number; readonly everyMs: number };

setInterval(() => {
  if (process.ppid !== parent || !isAlive(parent)) process.kill(process.pid, "SIGKILL");
}, everyMs);

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch {
    return false;
  }
}
