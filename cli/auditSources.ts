import { constants } from "node:buffer";
import { readFile } from "node:fs/promises";
import { promisify } from "node:util";
import { gunzip } from "node:zlib";
import { readState, type StackState } from "../audit";
import type { Io } from "./command";
import { withProgress } from "./progress";
import { runPulumi } from "./pulumi";

/**
 * A stack as `pulumi stack export` prints it: its secrets stay encrypted, so no passphrase is needed.
 * @param name undefined: the selected stack
 * @param shown shows that it is under way; undefined where that is shown of many at once
 * @throws Error with what the engine says
 */
export async function exportedStack(
  name: string | undefined,
  cwd: string | undefined,
  io: Pick<Io, "env">,
  shown: Io["progress"],
): Promise<StackState> {
  const label = name === undefined ? "the selected stack" : `stack ${name}`;
  // One argument each, so that a name that looks like an option is none.
  const args = ["stack", "export", ...(name === undefined ? [] : [`--stack=${name}`])];
  const printed = await withProgress(`exporting ${label}`, shown, runPulumi(args, label, cwd, io));
  return readState(parsed(printed, label), label);
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
export function parsed(text: string, label: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    throw new Error(`${label}: not complete JSON`);
  }
}
