import { execFile } from "node:child_process";
import { readdir, readFile } from "node:fs/promises";
import { setTimeout as sleep } from "node:timers/promises";
import { promisify } from "node:util";

/**
 * The processes that have exactly this variable in their environment. Children inherit it, so it finds the engine's
 * plugins even after the engine itself is gone, and never a process of anybody else.
 */
export async function processesWith(variable: string, value: string): Promise<number[]> {
  const mark = `${variable}=${value}`;
  return process.platform === "linux" ? fromProc(mark) : fromPs(mark);
}

/** Kills the marked processes and waits until they are gone. */
export async function endProcessesWith(variable: string, value: string): Promise<void> {
  for (let attempt = 0; attempt < 2_400; attempt++) {
    const left = await processesWith(variable, value);
    if (left.length === 0) return;
    for (const pid of left) kill(pid);
    await sleep(50);
  }
  throw new Error(`processes with ${variable}=${value} do not end: ${await processesWith(variable, value)}`);
}

function kill(pid: number): void {
  try {
    process.kill(pid, "SIGKILL");
  } catch (failure) {
    if ((failure as NodeJS.ErrnoException).code !== "ESRCH") throw failure; // ESRCH: it ended by itself meanwhile
  }
}

async function fromProc(mark: string): Promise<number[]> {
  const pids = (await readdir("/proc")).filter((name) => /^\d+$/.test(name));
  const environments = await Promise.all(
    // Processes of other users and processes that have just ended cannot be read; neither are ours.
    pids.map((pid) => readFile(`/proc/${pid}/environ`, "utf8").catch(() => "")),
  );
  return pids.filter((_, i) => environments[i]?.split("\0").includes(mark)).map(Number);
}

async function fromPs(mark: string): Promise<number[]> {
  const { stdout } = await promisify(execFile)("ps", ["axeww", "-o", "pid=,command="], { maxBuffer: 64 * 1024 * 1024 });
  return stdout
    .split("\n")
    .filter((line) => line.split(/\s/).includes(mark))
    .map((line) => Number.parseInt(line, 10));
}
