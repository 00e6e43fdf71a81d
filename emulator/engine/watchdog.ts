import { workerData } from "node:worker_threads";

/**
 * Ends the engine's process once the emulator's is gone. A thread of its own, because a query may keep the main thread from
 * hearing of it, and the files stay locked for as long as the process lives.
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
