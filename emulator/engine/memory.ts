import { execFile } from "node:child_process";
import { readFile } from "node:fs/promises";
import { promisify } from "node:util";

const pageBytes = 4096;

/** How much memory a process holds; undefined if unknown. */
export async function residentBytes(pid: number): Promise<number | undefined> {
  try {
    switch (process.platform) {
      case "linux": {
        const [, resident] = (await readFile(`/proc/${pid}/statm`, "latin1")).split(" ");
        return Number(resident) * pageBytes;
      }
      case "win32":
        return undefined;
      default: {
        const { stdout } = await promisify(execFile)("ps", ["-o", "rss=", "-p", String(pid)]);
        return Number(stdout) * 1024;
      }
    }
  } catch {
    return undefined; // the process has exited
  }
}
