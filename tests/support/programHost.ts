import { type ChildProcess, fork } from "node:child_process";
import { randomUUID } from "node:crypto";
import { once } from "node:events";
import { mkdtemp, rm } from "node:fs/promises";
import os from "node:os";
import path from "node:path";
import { afterAll, beforeAll } from "@jest/globals";
import type { CommandResult } from "./command";
import { compiledModules } from "./compiled";

/** The response of the process to a request to run a program. */
export type HostAnswer = { readonly port: number } | { readonly failure: string };

let shared: ProgramHost | undefined;

/** The host of this suite's programs, if it is not the engine's own. */
export const sharedProgramHost = (): ProgramHost | undefined => shared;

/**
 * Saves two fifths of the CPU time of a suite (drift and adoption: 28 instead of 46 s).
 *
 * Lets one process run the programs of all `up` and `preview` of the suite that says so, as an inline program of the Automation API
 * runs, instead of a new one each; one more for what runs at the same time. Each run loads the program and this package anew. For
 * suites that look at resources: what a program prints, and how it fails by itself, is another thing there. Programs that are ES
 * modules, have a tsconfig.json of their own or classes that the SDK serializes need the engine's host: `programHost: "engine"`.
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

/** A program's run, from before its command starts. */
export interface ProgramRun {
  /** Let the command run its program here. */
  readonly flags: readonly string[];
  /** The command's result, with what the program printed. */
  end(result: CommandResult): Promise<CommandResult>;
}

/** Runs each program in a process of its own, as environment and folder are the process's, which the next program gets then. */
export class ProgramHost implements AsyncDisposable {
  /** Of the compiler, which keeps programs there. */
  readonly #temp: string;
  readonly #env: NodeJS.ProcessEnv;
  readonly #started = new Set<ChildProcess>();
  readonly #idle: ChildProcess[] = [];

  private constructor(temp: string, compiled: string) {
    this.#temp = temp;
    this.#env = { PATH: process.env.PATH, TMPDIR: temp, NODE_COMPILE_CACHE: compiled };
  }

  static async create(): Promise<ProgramHost> {
    return new ProgramHost(await mkdtemp(path.join(os.tmpdir(), "program-host-")), await compiledModules());
  }

  /** @param env what the program is to see */
  async begin(env: NodeJS.ProcessEnv): Promise<ProgramRun> {
    const child = this.#idle.pop() ?? this.#start();
    const printed = listen(child);
    const answer = await ask(child, env).catch((cause) => {
      throw new Error(`the programs' host has ended:\n${printed.take()}`, { cause });
    });
    if ("failure" in answer) throw new Error(`the programs' host cannot listen: ${answer.failure}`);
    return {
      flags: [`--client=127.0.0.1:${answer.port}`, "--exec-kind=auto.inline"],
      end: async (result) => {
        // A program that failed waits for what is never registered: the next one gets another process.
        if (result.code === 0) {
          await printed.whole();
          this.#idle.push(child);
        } else {
          child.kill("SIGKILL");
          if (child.stdout && !child.stdout.closed) await once(child, "close");
        }
        return { ...result, stdout: result.stdout + printed.take() };
      },
    };
  }

  async [Symbol.asyncDispose](): Promise<void> {
    const ended = [...this.#started].map((child) => once(child, "close"));
    for (const child of this.#started) child.kill("SIGKILL");
    await Promise.all(ended);
    await rm(this.#temp, { recursive: true, force: true });
  }

  #start(): ChildProcess {
    const main = path.join(__dirname, "programHost", "main.mts");
    const child = fork(main, { env: this.#env, execArgv: [], stdio: "pipe" });
    this.#started.add(child);
    child.once("close", () => this.#started.delete(child));
    return child;
  }
}

/** Records the output of a process from now on. */
function listen(child: ChildProcess) {
  const mark = `\0${randomUUID()}`;
  const texts: string[] = [];
  const stops = [child.stdout, child.stderr].map((stream, n) => {
    texts[n] = "";
    const add = (chunk: string) => {
      texts[n] += chunk;
      child.emit(mark);
    };
    stream?.setEncoding("utf8").on("data", add);
    return () => stream?.off("data", add);
  });
  return {
    /** Resolves when all that the process has printed by now is here: it marks the end of it. */
    async whole(): Promise<void> {
      child.send({ mark });
      while (!texts.every((text) => text.includes(mark))) await once(child, mark);
    },
    /** Stops listening. */
    take(): string {
      for (const stop of stops) stop();
      return texts.join("").replaceAll(mark, "");
    },
  };
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
