import { type ChildProcess, fork } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, rm } from "node:fs/promises";
import os from "node:os";
import path from "node:path";
import { afterAll, beforeAll } from "@jest/globals";
import type { CommandResult } from "./command";
import { compiledModules } from "./compiled";

/** What the process answers to a request for a program's run. */
export type HostAnswer = { readonly port: number } | { readonly failure: string };

let shared: ProgramHost | undefined;

/** What runs the programs of this suite, if not the engine's own host. */
export const sharedProgramHost = (): ProgramHost | undefined => shared;

/**
 * Lets one process run the programs of all `up` and `preview` of the suite that says so, as an inline program of the Automation API
 * runs, instead of a new one each. Each run loads the program and this package anew. For suites that look at resources: what a
 * program prints, and how it fails by itself, is another thing there. Programs that are ES modules, have a tsconfig.json of their own
 * or classes that the SDK serializes need the engine's host: `programHost: "engine"`.
 */
export function shareProgramHost(): void {
  beforeAll(async () => {
    shared = await ProgramHost.create();
  });
  afterAll(async () => {
    await shared?.[Symbol.asyncDispose]();
    shared = undefined;
  });
}

/** Runs programs in a process, one after another: environment and folder are the process's. */
export class ProgramHost implements AsyncDisposable {
  /** Of the compiler, which keeps programs there. */
  readonly #temp: string;
  readonly #env: NodeJS.ProcessEnv;
  #process: ChildProcess | undefined;
  #running = false;
  #printed = "";

  private constructor(temp: string, compiled: string) {
    this.#temp = temp;
    this.#env = { PATH: process.env.PATH, TMPDIR: temp, NODE_COMPILE_CACHE: compiled };
  }

  static async create(): Promise<ProgramHost> {
    return new ProgramHost(await mkdtemp(path.join(os.tmpdir(), "program-host-")), await compiledModules());
  }

  /** Flags that let a command of the engine run its program here, in this environment. */
  async begin(env: NodeJS.ProcessEnv): Promise<string[]> {
    if (this.#running) throw new Error("a suite with a shared program host runs one command after another");
    this.#running = true;
    this.#process ??= this.#start();
    const answer = await ask(this.#process, env).catch((cause) => {
      throw new Error(`the programs' host has ended:\n${this.#printed}`, { cause });
    });
    if ("failure" in answer) throw new Error(`the programs' host cannot listen: ${answer.failure}`);
    return [`--client=127.0.0.1:${answer.port}`, "--exec-kind=auto.inline"];
  }

  /** The command's result, with what the program printed. */
  async end(result: CommandResult): Promise<CommandResult> {
    // A program that failed waits for what is never registered: the next one gets another process.
    if (result.code !== 0) await this.#stop();
    const stdout = result.stdout + this.#printed;
    this.#printed = "";
    this.#running = false;
    return { ...result, stdout };
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#stop();
    await rm(this.#temp, { recursive: true, force: true });
  }

  #start(): ChildProcess {
    const main = path.join(__dirname, "programHost", "main.mts");
    const child = fork(main, { env: this.#env, execArgv: [], stdio: "pipe" });
    for (const stream of [child.stdout, child.stderr]) {
      stream?.setEncoding("utf8").on("data", (chunk: string) => {
        this.#printed += chunk;
      });
    }
    return child;
  }

  async #stop(): Promise<void> {
    const child = this.#process;
    this.#process = undefined;
    if (!child || child.exitCode !== null || child.signalCode !== null) return;
    child.kill("SIGKILL");
    await once(child, "exit");
  }
}

/** @throws if the process ends without an answer */
async function ask(child: ChildProcess, env: NodeJS.ProcessEnv): Promise<HostAnswer> {
  const ended = new AbortController();
  const answered = once(child, "message", { signal: ended.signal });
  const end = () => ended.abort();
  child.once("exit", end);
  if (child.connected) child.send({ env });
  else end();
  const [answer] = await answered.finally(() => child.off("exit", end));
  return answer;
}
