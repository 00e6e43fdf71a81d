import { constants } from "node:buffer";
import { spawn } from "node:child_process";
import { readFile } from "node:fs/promises";
import { promisify } from "node:util";
import { gunzip } from "node:zlib";
import { readState, type StackState } from "../audit";
import { environmentNames } from "../sdk";
import type { Io } from "./command";
import { visible } from "./reports/text";

/** How long the engine may take for one stack. */
const exportTimeout = 120_000;

/**
 * A stack as `pulumi stack export` prints it: its secrets stay encrypted, so no passphrase is needed.
 * @param name undefined: the selected stack
 * @throws Error with what the engine says
 */
export async function exportedStack(name: string | undefined, cwd: string | undefined, io: Io): Promise<StackState> {
  const label = name === undefined ? "the selected stack" : `stack ${name}`;
  const args = ["stack", "export", "--non-interactive", "--color=never"];
  // One argument each, so that a name that looks like an option is none.
  if (name !== undefined) args.push(`--stack=${name}`);
  if (cwd !== undefined) args.push(`--cwd=${cwd}`);
  // The engine has no use for the credential.
  const { [environmentNames.accessToken]: _, ...env } = io.env;
  const { code, stdout, stderr } = await output("pulumi", args, env, exportTimeout).catch((failure) => {
    throw new Error(`${label}: ${notStarted(failure)}`);
  });
  if (code !== 0) {
    throw new Error(`${label}: pulumi stack export failed: ${visible(stderr.trim()) || `exit code ${code}`}`);
  }
  return readState(parsed(stdout, label), label);
}

/**
 * A state file: an exported one, or a checkpoint of a self-managed backend, compressed or not.
 * @throws Error that quotes nothing of the file
 */
export async function stateFile(file: string): Promise<StackState> {
  const bytes = await contentOf(file);
  const compressed = bytes[0] === 0x1f && bytes[1] === 0x8b;
  const plain = compressed ? await promisify(gunzip)(bytes).catch(() => undefined) : bytes;
  if (plain === undefined) throw new Error(`${file}: cannot be decompressed`);
  return readState(parsed(textOf(plain, file), file), file);
}

/**
 * The JSON of a file.
 * @throws Error that quotes nothing of the file
 */
export const jsonFile = async (file: string): Promise<unknown> => parsed(textOf(await contentOf(file), file), file);

const contentOf = (file: string): Promise<Buffer> =>
  readFile(file).catch((failure: NodeJS.ErrnoException) => {
    throw new Error(`${file}: cannot be read (${failure.code})`);
  });

function textOf(bytes: Buffer, label: string): string {
  if (bytes.length > constants.MAX_STRING_LENGTH) throw new Error(`${label}: longer than a program can read`);
  return bytes.toString("utf8");
}

/** What `JSON.parse` says of a text that is no JSON stays here: it quotes the text. */
function parsed(text: string, label: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    throw new Error(`${label}: not complete JSON`);
  }
}

function notStarted(failure: NodeJS.ErrnoException): string {
  if (failure.code === undefined) return failure.message;
  return failure.code === "ENOENT"
    ? "the Pulumi CLI is not on PATH, or --cwd is no folder: install it, or export the state and use --state"
    : `the Pulumi CLI could not be run (${failure.code})`;
}

interface Output {
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

/** Runs a program without a shell and without input. */
function output(command: string, args: readonly string[], env: Io["env"], timeout: number): Promise<Output> {
  return new Promise((resolve, reject) => {
    const child = spawn(command, args, { env, stdio: ["ignore", "pipe", "pipe"] });
    // Our own limit: that of `spawn` keeps the process alive if the program cannot be started.
    const limit = setTimeout(() => child.kill("SIGKILL"), timeout);
    const chunks = { stdout: [] as Buffer[], stderr: [] as Buffer[] };
    let length = 0;
    child.stdout.on("data", (chunk: Buffer) => {
      length += chunk.length;
      if (length <= constants.MAX_STRING_LENGTH) return chunks.stdout.push(chunk);
      child.kill("SIGKILL");
      reject(
        new Error("its output is longer than a program can read: use --state with a file of the stack's tokens alone"),
      );
    });
    child.stderr.on("data", (chunk: Buffer) => chunks.stderr.push(chunk));
    child.once("error", (failure) => {
      clearTimeout(limit);
      reject(failure);
    });
    child.once("close", (code) => {
      clearTimeout(limit);
      const text = (name: keyof typeof chunks) => Buffer.concat(chunks[name]).toString("utf8");
      resolve({ code, stdout: text("stdout"), stderr: text("stderr") });
    });
  });
}
