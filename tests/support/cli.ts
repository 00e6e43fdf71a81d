import { type ChildProcess, fork } from "node:child_process";
import { randomUUID } from "node:crypto";
import { once } from "node:events";
import path from "node:path";
import { afterAll } from "@jest/globals";
import { builtCli, sharedFolder } from "./checkout";
import { type CommandResult, start } from "./command";
import { CHECKOUT } from "./program";

/** The request for a run. The command line is the one of the process. */
export interface HostRequest {
  readonly args: readonly string[];
  readonly cwd: string;
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly stdin: string;
  /** Written to both streams where the run's output ends. */
  readonly mark: string;
}

export type HostAnswer = { readonly code: number } | { readonly failure: string };

/** All of them load the same modules; each writes what it was the first to compile. */
const compiled = path.join(sharedFolder(), "compiled-cli");

export interface CliOptions {
  readonly cwd?: string;
  /** Added to PATH, and nothing else of this process. */
  readonly env?: Readonly<Record<string, string | undefined>>;
  readonly stdin?: string;
  /**
   * Whether to start Node.js for this run alone, as a user does. Default: only if a variable is for Node.js itself. For what a
   * process has once: the signal that ends it, its exit, a child that reads its standard input.
   */
  readonly ownProcess?: boolean;
}

/**
 * Runs the built `event-datasets` to its end, in another process: one that stays, for one run at a time. Four suites take 34 CPU
 * seconds instead of over 90.
 */
export async function cli(
  args: readonly string[],
  { cwd = CHECKOUT, env: more = {}, stdin = "", ownProcess }: CliOptions = {},
): Promise<CommandResult> {
  const main = builtCli();
  const env = { PATH: process.env.PATH, ...more };
  if (ownProcess ?? Object.keys(env).some((name) => /^(NODE_|SSL_|LC_|LANG)/.test(name))) {
    const settings = { cwd, env: { NODE_COMPILE_CACHE: compiled, ...env }, stdin };
    return (await start(process.execPath, [main, ...args], settings)).done;
  }
  const host = idle.pop() ?? new Host();
  const started = Date.now();
  const ended = await host.run({ args, cwd, env, stdin });
  idle.push(host);
  const seconds = (Date.now() - started) / 1000;
  return { line: ["event-datasets", ...args].join(" "), ...ended, signal: undefined, seconds, timedOut: false };
}

const idle: Host[] = [];
const hosts = new Set<Host>();

afterAll(async () => {
  await Promise.all([...hosts].map((host) => host[Symbol.asyncDispose]()));
});

type Streams = Pick<CommandResult, "stdout" | "stderr">;

/** One process that runs one command after another. */
class Host implements AsyncDisposable {
  readonly #child: ChildProcess;
  #printed: Record<keyof Streams, string> = { stdout: "", stderr: "" };

  constructor() {
    const env = { PATH: process.env.PATH, NODE_COMPILE_CACHE: compiled };
    const stdio = ["ignore", "pipe", "pipe", "ipc"] as const;
    this.#child = fork(path.join(__dirname, "../cli/commandLineHost.js"), { env, execArgv: [], stdio: [...stdio] });
    for (const name of ["stdout", "stderr"] as const) {
      this.#child[name]?.setEncoding("utf8").on("data", (chunk: string) => {
        this.#printed[name] += chunk;
        this.#child.emit("printed");
      });
    }
    hosts.add(this);
  }

  /** @throws Error with all that was printed, if the process ends or cannot do without one of the command's own */
  async run(request: Omit<HostRequest, "mark">): Promise<Streams & { readonly code: number }> {
    const mark = `\0${randomUUID()}`;
    const ended = new AbortController();
    const { signal } = ended;
    const end = () => ended.abort();
    this.#child.once("close", end);
    try {
      const answered = once(this.#child, "message", { signal });
      this.#child.send({ ...request, mark });
      const [answer]: HostAnswer[] = await answered;
      while (!Object.values(this.#printed).every((text) => text.endsWith(mark)))
        await once(this.#child, "printed", { signal });
      if (answer && "code" in answer) return { ...this.#take(mark), code: answer.code };
      throw new Error(answer?.failure);
    } catch (cause) {
      const { stdout, stderr } = this.#take(mark);
      throw new Error(`${request.args.join(" ")} needs \`ownProcess\`, or failed:\n${stdout}${stderr}`, { cause });
    } finally {
      this.#child.off("close", end);
    }
  }

  async [Symbol.asyncDispose](): Promise<void> {
    hosts.delete(this);
    if (this.#child.exitCode !== null || this.#child.signalCode !== null) return;
    const closed = once(this.#child, "close");
    this.#child.kill("SIGKILL");
    await closed;
  }

  #take(mark: string): Streams {
    const { stdout, stderr } = this.#printed;
    this.#printed = { stdout: "", stderr: "" };
    return { stdout: stdout.replace(mark, ""), stderr: stderr.replace(mark, "") };
  }
}
