import { constants } from "node:buffer";
import { spawn } from "node:child_process";
import { environmentNames } from "../sdk";
import type { Io } from "./command";

/** Time limit for one stack, or for the list of stacks, in milliseconds. */
const usualLimit = 120_000;

/**
 * Runs the Pulumi CLI and returns its output.
 * @param label what is read, for errors
 * @throws Error with what the CLI says, and with a fix if it is known
 */
export async function runPulumi(
  args: readonly string[],
  label: string,
  { env: { [environmentNames.accessToken]: _, ...env } }: Pick<Io, "env">, // the engine has no use for the credential
  cwd?: string,
  timeLimit = usualLimit,
): Promise<string> {
  const more = ["--non-interactive", "--color=never", ...(cwd === undefined ? [] : [`--cwd=${cwd}`])];
  const { code, signal, stdout, stderr } = await run("pulumi", [...args, ...more], env, timeLimit).catch((failure) => {
    throw new Error(`${label}: ${describeStart(failure)}`);
  });
  if (code === 0) return stdout;
  const said = stderr.replace(/\s+/g, " ").trim() || (signal === null ? `exit code ${code}` : `ended by ${signal}`);
  throw new Error(`${label}: pulumi ${args.slice(0, 2).join(" ")} failed: ${said}${remedyOf(stderr)}`);
}

/** An interrupted update on a self-managed backend leaves an empty file beside the state, and every command fails. */
const remedyOf = (stderr: string): string =>
  /\bEOF\b/.test(stderr)
    ? ": if an update was killed, remove the empty .attrs file beside the checkpoint of the stack, or name the checkpoint with --state"
    : "";

function describeStart(failure: NodeJS.ErrnoException): string {
  if (failure.code === undefined) return failure.message;
  return failure.code === "ENOENT"
    ? "the Pulumi CLI is not on PATH: install the CLI, or export the state and use --state"
    : `the Pulumi CLI could not be run (${failure.code})`;
}

interface Output {
  readonly code: number | null;
  readonly signal: string | null;
  readonly stdout: string;
  readonly stderr: string;
}

/** Runs a program without a shell and without input. */
function run(command: string, args: readonly string[], env: Io["env"], timeout: number): Promise<Output> {
  return new Promise((resolve, reject) => {
    const child = spawn(command, args, { env, stdio: ["ignore", "pipe", "pipe"] });
    // Our own limit: that of `spawn` keeps the process alive if the program cannot be started.
    const limit = setTimeout(() => {
      child.kill("SIGKILL");
      // A process that it started can keep them open.
      child.stdout.destroy();
      child.stderr.destroy();
      reject(
        new Error(
          `the Pulumi CLI did not end within ${timeout / 1000} seconds and was stopped: run "${[command, ...args].slice(0, 3).join(" ")}" yourself to see why, or export the state and use --state`,
        ),
      );
    }, timeout);
    const chunks = { stdout: [] as Buffer[], stderr: [] as Buffer[] };
    let length = 0;
    child.stdout.on("data", (chunk: Buffer) => {
      length += chunk.length;
      if (length <= constants.MAX_STRING_LENGTH) return chunks.stdout.push(chunk);
      child.kill("SIGKILL");
      reject(
        new Error(
          "its output is too long for Node.js to read: use --state with a file that contains only the stack's tokens",
        ),
      );
    });
    child.stderr.on("data", (chunk: Buffer) => chunks.stderr.push(chunk));
    child.once("error", (failure) => {
      clearTimeout(limit);
      reject(failure);
    });
    child.once("close", (code, signal) => {
      clearTimeout(limit);
      const text = (name: keyof typeof chunks) => Buffer.concat(chunks[name]).toString("utf8");
      resolve({ code, signal, stdout: text("stdout"), stderr: text("stderr") });
    });
  });
}
