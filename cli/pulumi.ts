import { constants } from "node:buffer";
import { type ExecFileException, execFile } from "node:child_process";
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
  { env: { [environmentNames.accessToken]: _, ...env } }: Pick<Io, "env">, // the engine has no use for the access token
  cwd?: string,
  timeLimit = usualLimit,
): Promise<string> {
  const more = ["--non-interactive", "--color=never", ...(cwd === undefined ? [] : [`--cwd=${cwd}`])];
  return await run([...args, ...more], env, timeLimit).catch((failure: Error) => {
    throw new Error(`${label}: ${failure.message}`);
  });
}

/** Errors of the Pulumi CLI whose text does not say how to go on, and the advice for each. */
const remedies: readonly (readonly [RegExp, string])[] = [
  // An interrupted update on a self-managed backend leaves an empty file beside the state, and every command fails.
  [
    /\bEOF\b/,
    "if an update was killed, remove the empty .attrs file beside the checkpoint of the stack, or name the checkpoint with --state",
  ],
  // The engine 3.259 needs the variable, and 3.276 reads no state of the flat layout (backend/diy/backend.go).
  [
    /\bLegacy DIY state\b/,
    "set PULUMI_DIY_BACKEND_IGNORE_DEPRECATION_ERROR=1 for a Pulumi CLI before 3.275, or name each file of .pulumi/stacks with --state",
  ],
];

/** Runs the Pulumi CLI without a shell and without input. */
function run(args: readonly string[], env: Io["env"], timeout: number): Promise<string> {
  const limits = { timeout, killSignal: "SIGKILL", maxBuffer: constants.MAX_STRING_LENGTH } as const;
  return new Promise((resolve, reject) => {
    const child = execFile("pulumi", args, { env: { ...env }, ...limits }, (failure, stdout, stderr) =>
      failure ? reject(new Error(describe(failure, stderr, args, timeout))) : resolve(stdout),
    );
    child.stdin?.end();
  });
}

function describe(
  { code, signal, killed }: ExecFileException,
  stderr: string,
  args: readonly string[],
  timeout: number,
) {
  const command = `pulumi ${args.slice(0, 2).join(" ")}`;
  if (code === "ENOENT")
    return "the Pulumi CLI is not on PATH: run npm install --global pulumi, or use --state if the command has this option";
  if (code === "ERR_CHILD_PROCESS_STDIO_MAXBUFFER")
    return "the output of the Pulumi CLI is too long for Node.js to read: use --state with a file that contains only the stack's tokens";
  if (killed)
    return `the Pulumi CLI did not finish within ${timeout / 1000} seconds and was stopped: run "${command}" yourself to see why, or export the state and use --state`;
  if (typeof code === "string") return `the Pulumi CLI could not be run (${code})`;
  const said = stderr.replace(/(?:\s|={5,})+/g, " ").trim() || (signal ? `ended by ${signal}` : `exit code ${code}`);
  const [, remedy] = remedies.find(([text]) => text.test(stderr)) ?? [];
  return `${command} failed: ${said}${remedy === undefined ? "" : `: ${remedy}`}`;
}
