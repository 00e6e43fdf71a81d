import { readdir, readFile, readlink, realpath } from "node:fs/promises";
import path from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { engineAddress, isEngineGone, watchInterval } from "../../framework/engineWatch";
import { shellCommand } from "../shell";
import { say } from "../text";
import type { Problem } from "./problem";

/** A host that has loaded this package notices within this time that its engine is gone, and ends. */
const settlingTime = 2 * watchInterval;

/**
 * Finds processes that host dynamic providers for an engine that is gone. An engine that is killed before its host handles a first
 * resource leaves the host running, because the host has not loaded this package yet. A host that has loaded it ends by itself, so
 * the found processes are checked again after a while.
 *
 * Reads the process table of Linux, and considers programs in this folder or below. On other systems it finds none.
 * @param folder the folder of the Pulumi project
 */
export async function findIdleHosts(folder: string): Promise<Problem[]> {
  const within = await realpath(folder).catch(() => undefined);
  if (within === undefined) return [];
  const pids = (await readdir("/proc").catch(() => [])).filter((name) => /^\d+$/.test(name)).map(Number);
  const found = await selectIdle(pids, within);
  if (found.length === 0) return [];
  await sleep(settlingTime);
  return (await selectIdle(found, within)).map((pid) => describeHost(pid, within));
}

async function selectIdle(pids: readonly number[], within: string): Promise<number[]> {
  const idle = await Promise.all(pids.map((pid) => isIdle(pid, within)));
  return pids.filter((_, at) => idle[at]);
}

async function isIdle(pid: number, within: string): Promise<boolean> {
  const address = await findEngineOf(pid, within).catch(() => undefined); // it ended meanwhile, or is somebody else's
  return address !== undefined && isEngineGone(address);
}

const describeHost = (pid: number, within: string): Problem => ({
  found: say`${[
    `process ${pid} hosts dynamic providers for an engine that is gone. It sends nothing, but it keeps the environment`,
    "of its update, and listens on this machine",
  ].join(" ")}`,
  remedy: shellCommand("kill", String(pid)),
  apply: async () => {
    // Its number may have been given to another process since.
    if (!(await isIdle(pid, within))) return;
    try {
      process.kill(pid);
    } catch (failure) {
      if ((failure as NodeJS.ErrnoException).code !== "ESRCH") throw failure;
    }
  },
});

/** The address of the engine that a process hosts providers for; undefined for any other process or folder. */
async function findEngineOf(pid: number, within: string): Promise<string | undefined> {
  const args = (await readFile(`/proc/${pid}/cmdline`, "utf8")).split("\0");
  if (!args[1]?.endsWith(path.join("@pulumi", "pulumi", "cmd", "dynamic-provider", "index.js"))) return undefined;
  const [place, network, ours] = await Promise.all(
    [`/proc/${pid}/cwd`, `/proc/${pid}/ns/net`, "/proc/self/ns/net"].map((link) => readlink(link)),
  );
  const isBelow = place === within || place?.startsWith(within.endsWith(path.sep) ? within : within + path.sep);
  // A container has its own network, so its engine cannot be checked from here.
  return isBelow && network === ours ? engineAddress(args) : undefined;
}
