import { execFile, spawn } from "node:child_process";
import { readdir, readFile } from "node:fs/promises";
import { setTimeout as sleep } from "node:timers/promises";
import { promisify } from "node:util";

/** How a command ended and everything that it printed. */
export interface CommandResult {
  readonly line: string;
  /** Undefined if a signal ended it. */
  readonly code: number | undefined;
  readonly signal: NodeJS.Signals | undefined;
  readonly stdout: string;
  readonly stderr: string;
  readonly seconds: number;
  /** It did not end by itself within its time limit. */
  readonly timedOut: boolean;
}

/** A command under way. */
export interface RunningCommand {
  readonly pid: number;
  /** Sends a signal to the command alone, not to what it started. */
  kill(signal: NodeJS.Signals): void;
  /**
   * Resolves once standard output or standard error holds the text, with it or with the pattern's first group; rejects if
   * the command ends before.
   */
  printed(wanted: string | RegExp): Promise<string>;
  /** Never rejects because of an exit code. */
  readonly done: Promise<CommandResult>;
}

export interface CommandSettings {
  readonly cwd: string;
  readonly env: NodeJS.ProcessEnv;
  /** By default so long that only a command that hangs reaches it. The command may be a shell that runs a whole page. */
  readonly timeoutMs?: number | undefined;
  readonly stdin?: string | undefined;
  /** Whether it leads a process group of its own, which its `pid` names. */
  readonly leadsGroup?: boolean;
}

/** Less than a test may take (timeouts.ts), so that a test shows what the command printed before it hung. */
const HANG_MS = 1_800_000;

/** Starts a program without a shell. At the time limit it is asked to end, and 10 s later it is killed. */
export async function start(
  command: string,
  args: readonly string[],
  settings: CommandSettings,
): Promise<RunningCommand> {
  const started = Date.now();
  const { timeoutMs = HANG_MS, leadsGroup: detached = false, cwd, env } = settings;
  const child = spawn(command, args, { cwd, env, detached, stdio: "pipe" });
  const text = { stdout: "", stderr: "" };
  const waiting = new Set<() => void>();
  for (const name of ["stdout", "stderr"] as const) {
    child[name].setEncoding("utf8").on("data", (chunk: string) => {
      text[name] += chunk;
      for (const look of waiting) look();
    });
  }
  child.stdin.on("error", () => undefined); // a command that does not read its input may close it first
  child.stdin.end(settings.stdin ?? "");
  let timedOut = false;
  const limits = [
    setTimeout(() => {
      timedOut = true;
      child.kill("SIGTERM");
    }, timeoutMs),
    setTimeout(() => child.kill("SIGKILL"), timeoutMs + 10_000),
  ];
  const done = new Promise<CommandResult>((resolve) => {
    child.once("close", (code, signal) => {
      for (const limit of limits) clearTimeout(limit);
      const seconds = (Date.now() - started) / 1000;
      const line = [command, ...args].join(" ");
      resolve({ line, code: code ?? undefined, signal: signal ?? undefined, ...text, seconds, timedOut });
    });
  });
  const pid = await new Promise<number>((resolve, reject) => {
    child.once("error", reject);
    child.once("spawn", () => resolve(child.pid ?? 0));
  });
  const printed = (wanted: string | RegExp) =>
    new Promise<string>((resolve, reject) => {
      const find = (printed: string): string | undefined => {
        if (typeof wanted === "string") return printed.includes(wanted) ? wanted : undefined;
        const found = wanted.exec(printed);
        return found?.[1] ?? found?.[0];
      };
      const look = () => {
        const found = find(text.stdout) ?? find(text.stderr);
        if (found === undefined) return;
        waiting.delete(look);
        resolve(found);
      };
      waiting.add(look);
      look();
      void done.then((result) => reject(new Error(`ended without printing ${wanted}\n${describe(result)}`)));
    });
  return { pid, kill: (signal) => void child.kill(signal), printed, done };
}

/** Describes a command for the message of a failed test. */
export function describe(result: CommandResult): string {
  const ending = `${result.timedOut ? "time limit, " : ""}${result.signal ?? `exit code ${result.code}`}`;
  const indent = (text: string) => text.trimEnd().replace(/^/gm, "    ");
  return [
    `$ ${result.line}`,
    `  ${ending} after ${result.seconds.toFixed(1)} s`,
    ...(result.stdout.trim() ? ["  stdout:", indent(result.stdout)] : []),
    ...(result.stderr.trim() ? ["  stderr:", indent(result.stderr)] : []),
  ].join("\n");
}

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
