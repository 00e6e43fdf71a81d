import { readdir, readFile, readlink, realpath } from "node:fs/promises";
import path from "node:path";
import { engineAddress } from "../../provider/session/engineAddress";
import { isEngineGone } from "../../provider/session/engineWatch";
import type { Mend } from "./mend";

/**
 * The processes that host dynamic providers for an engine that is gone. One that is killed before it has its host check, read or
 * change a first resource leaves the host behind, and nothing else could end that: what comes before (the start, the
 * configuration) loads nothing of ours there; a program is told neither process nor port of a host, ends with its engine,
 * and `refresh` and `destroy` have none.
 *
 * Looks at Linux's table of processes, at programs in this folder or below. Elsewhere it finds none.
 * @param folder the folder of the Pulumi project
 */
export async function findIdleHosts(folder: string): Promise<Mend[]> {
  const pids = await readdir("/proc").catch(() => []);
  const within = await realpath(folder).catch(() => undefined);
  if (within === undefined) return [];
  const looks = pids.filter((name) => /^\d+$/.test(name)).map((pid) => describeIfIdle(Number(pid), within));
  return (await Promise.all(looks)).filter((mend) => mend !== undefined);
}

async function describeIfIdle(pid: number, within: string): Promise<Mend | undefined> {
  const address = await findEngineOf(pid, within).catch(() => undefined); // it ended meanwhile, or is somebody else's
  if (address === undefined || !(await isEngineGone(address))) return undefined;
  return {
    found: [
      `process ${pid} hosts dynamic providers for an engine that is gone. It sends nothing, but it keeps the environment`,
      "of its update, and listens on this machine",
    ].join(" "),
    remedy: `kill ${pid}`,
    apply: async () => void process.kill(pid),
  };
}

/** The address of the engine that a process hosts providers for; undefined: it is no host, or not of this folder. */
async function findEngineOf(pid: number, within: string): Promise<string | undefined> {
  const args = (await readFile(`/proc/${pid}/cmdline`, "utf8")).split("\0");
  if (!args[1]?.endsWith(path.join("@pulumi", "pulumi", "cmd", "dynamic-provider", "index.js"))) return undefined;
  const [place, network, ours] = await Promise.all(
    [`/proc/${pid}/cwd`, `/proc/${pid}/ns/net`, "/proc/self/ns/net"].map((link) => readlink(link)),
  );
  const isBelow = place === within || place?.startsWith(within.endsWith(path.sep) ? within : within + path.sep);
  // The engine of a container has addresses of its own: there is no telling from here.
  return isBelow && network === ours ? engineAddress(args) : undefined;
}
