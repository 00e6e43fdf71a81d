import { type ChildProcess, spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { readlinkSync } from "node:fs";

/** Whether every process of this machine is seen here: on Linux, outside of containers. */
export const seesWholeMachine =
  process.platform === "linux" && readlinkSync("/proc/self/ns/pid") === "pid:[4026531836]";

/** A command line that runs another one among processes of its own, as a container does, but with this host's name. */
export const containerOf = (...command: readonly string[]): readonly [string, string[]] => [
  "unshare",
  ["--user", "--map-root-user", "--pid", "--fork", "--mount-proc", "--kill-child", ...command],
];

/** Whether this machine lets users have containers without a name of their own. */
export const hasContainers = seesWholeMachine && spawnSync(...containerOf("true")).status === 0;

/** A process of a container, with a number there that no process has outside. */
export class ContainedProcess implements AsyncDisposable {
  private constructor(
    readonly pid: number,
    readonly container: ChildProcess,
  ) {}

  static async start(): Promise<ContainedProcess> {
    // Above the numbers that are given outside.
    const script = "echo 4000000 >/proc/sys/kernel/ns_last_pid; sleep 86400 & echo $!; wait";
    const container = spawn(...containerOf("sh", "-c", script), { stdio: ["ignore", "pipe", "inherit"] });
    const [line]: Buffer[] = await once(container.stdout, "data");
    return new ContainedProcess(Number(line), container);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    const closed = once(this.container, "close");
    this.container.kill("SIGKILL");
    await closed;
  }
}
