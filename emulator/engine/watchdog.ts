import { workerData } from "node:worker_threads";

/**
 * Exits the engine's process after the emulator's process exited, since the files stay locked as long as the process lives, and if it
 * holds too much memory. It has its own thread, because a query may keep the main thread busy.
 */
const { parent, memoryBytes } = workerData as { readonly parent: number; readonly memoryBytes: number };

setInterval(() => {
  if (process.ppid !== parent || !isAlive(parent)) process.kill(process.pid, "SIGKILL");
  // Another signal, which tells the emulator why. Windows has none.
  if (process.memoryUsage.rss() > memoryBytes)
    process.kill(process.pid, process.platform === "win32" ? "SIGKILL" : "SIGUSR2");
}, 200);

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch {
    return false;
  }
}
