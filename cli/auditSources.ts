import { constants } from "node:buffer";
import { readFile } from "node:fs/promises";
import { promisify } from "node:util";
import { gunzip, zstdDecompress } from "node:zlib";
import { readState, type StackIdentity, type StackState } from "../audit";
import type { Io } from "./command";
import { runPulumi } from "./pulumi";

/** Name of an exported stack in messages. */
export const labelOf = (name: string | undefined): string =>
  name === undefined ? "the selected stack" : `stack ${name}`;

/**
 * Reads a stack with `pulumi stack export`: secrets stay encrypted, so no passphrase is needed.
 * @param name undefined: the selected stack
 * @throws Error with what the engine says
 */
export async function exportStack(name: string | undefined, io: Pick<Io, "env">): Promise<StackState> {
  const state = readState(await exportJson(name, io), labelOf(name));
  return { ...state, origin: "export" };
}

/** The output of `pulumi stack export`. */
export async function exportJson(name: string | undefined, io: Pick<Io, "env">, ...more: string[]): Promise<unknown> {
  const label = labelOf(name);
  // As one argument, so that a name is never taken for an option.
  const args = ["stack", "export", ...(name === undefined ? [] : [`--stack=${name}`]), ...more];
  return parseJson(await runPulumi(args, label, io), label);
}

/** A file of `--state`, with its stack if the option names it. */
export interface StateOption {
  readonly file: string;
  readonly identity: StackIdentity | undefined;
}

/** Parses `FILE` or `ORGANIZATION/PROJECT/STACK=FILE`. A path that looks like such a name needs a leading `./`. */
export function parseStateOption(text: string): StateOption {
  const [name = "", ...rest] = text.split("=");
  const file = rest.join("=");
  const parts = name.split("/");
  if (file === "" || parts.length !== 3 || !parts.every((part) => /^\w[\w.-]*$/.test(part)))
    return { file: text, identity: undefined };
  const [organization, project, stack] = parts;
  return { file, identity: { organization, project, stack } };
}

/**
 * Reads a state file: an exported state, or a checkpoint of a self-managed backend, compressed or not.
 * @param known the stack of the state, if it is known
 * @throws Error that quotes nothing of the file
 */
export async function readStateFile(file: string, known?: StackIdentity): Promise<StackState> {
  const plain = await unpack(await contentOf(file)).catch(() => {
    throw new Error(`${file}: cannot be decompressed`);
  });
  return readState(parseJson(textOf(plain, file), file), file, known);
}

const formats = [
  { magic: Buffer.from([0x1f, 0x8b]), unpack: promisify<Buffer, Buffer>(gunzip) },
  { magic: Buffer.from([0x28, 0xb5, 0x2f, 0xfd]), unpack: promisify<Buffer, Buffer>(zstdDecompress) },
] as const;

/** Decompresses a state. Like the engine, it goes by the content, because a copy that the engine keeps can have another ending. */
async function unpack(bytes: Buffer): Promise<Buffer> {
  const format = formats.find(({ magic }) => bytes.subarray(0, magic.length).equals(magic));
  return format === undefined ? bytes : format.unpack(bytes);
}

/**
 * Reads a JSON file.
 * @throws Error that quotes nothing of the file
 */
export const readJsonFile = async (file: string): Promise<unknown> =>
  parseJson(textOf(await contentOf(file), file), file);

const contentOf = (file: string): Promise<Buffer> =>
  readFile(file).catch((failure: NodeJS.ErrnoException) => {
    throw new Error(`${file}: cannot be read (${failure.code})`);
  });

/** PowerShell writes files in UTF-16, or with a byte order mark. */
function textOf(bytes: Buffer, label: string): string {
  if (bytes.length > constants.MAX_STRING_LENGTH) throw new Error(`${label}: too long for Node.js to read`);
  const encoding = { fffe: "utf-16le", feff: "utf-16be" }[bytes.toString("hex", 0, 2)] ?? "utf-8";
  return new TextDecoder(encoding).decode(bytes);
}

/** The error of `JSON.parse` is not passed on, because it quotes the text. */
export function parseJson(text: string, label: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    throw new Error(`${label}: not complete JSON`);
  }
}
