import { constants } from "node:buffer";
import { readFile } from "node:fs/promises";
import { readState, type StackIdentity, type StackState } from "../audit";
import { defined } from "../values/defined";
import { unpackCheckpoint } from "./checkpoints";
import type { Io } from "./command";
import { withProgress } from "./progress";
import { runPulumi } from "./pulumi";
import { say } from "./text";

/** Name of an exported stack in messages. */
export const labelOf = (name: string | undefined): string =>
  name === undefined ? "the selected stack" : `stack ${name}`;

/**
 * Reads a stack with `pulumi stack export`: secrets stay encrypted, so no passphrase is needed.
 * @param name undefined: the selected stack
 * @param shown shows the progress; undefined if the caller shows it
 * @throws Error with what the engine says
 */
export async function exportStack(
  name: string | undefined,
  cwd: string | undefined,
  io: Pick<Io, "env">,
  shown: Io["progress"],
): Promise<StackState> {
  const label = labelOf(name);
  // As one argument, so that a name is never taken for an option.
  const args = ["stack", "export", ...(name === undefined ? [] : [`--stack=${name}`])];
  const printed = await withProgress(say`exporting ${label}`, shown, runPulumi(args, label, cwd, io));
  return readState(parseJson(printed, label), label);
}

/** A file of `--state`, with its stack if the option names it. */
export interface StateOption {
  readonly file: string;
  readonly identity: StackIdentity | undefined;
}

/**
 * Parses `FILE` or `ORGANIZATION/PROJECT/STACK=FILE`. A label in front of the organization names another backend than the present
 * one. A path that looks like such a name needs a leading `./`.
 */
export function parseStateOption(text: string): StateOption {
  const [name = "", ...rest] = text.split("=");
  const file = rest.join("=");
  const parts = name.split("/");
  const isName = parts.length >= 3 && parts.length <= 4 && parts.every((part) => /^\w[\w.-]*$/.test(part));
  if (file === "" || !isName) return { file: text, identity: undefined };
  const [stack, project, organization, backend] = parts.reverse();
  return { file, identity: defined({ backend, organization, project, stack }) };
}

/**
 * Reads a state file: an exported state, or a checkpoint of a self-managed backend, compressed or not.
 * @param known the stack of the state, if it is known
 * @throws Error that quotes nothing of the file
 */
export const readStateFile = async (file: string, known?: StackIdentity): Promise<StackState> =>
  readState(await readCheckpoint(file), file, known);

/**
 * Reads the JSON of a state file, compressed or not.
 * @throws Error that quotes nothing of the file
 */
export async function readCheckpoint(file: string): Promise<unknown> {
  const packed = await contentOf(file);
  const plain = await unpackCheckpoint(packed).catch(() => {
    throw new Error(`${file}: cannot be decompressed`);
  });
  return parseJson(textOf(plain, file), file);
}

/**
 * Reads a JSON file.
 * @throws Error that quotes nothing of the file
 */
export const readJsonFile = async (file: string): Promise<unknown> =>
  parseJson(textOf(await contentOf(file), file), file);

/** A file that was not read, so that nothing is known of its content. */
export class UnreadFile extends Error {
  readonly isMissing: boolean;

  constructor(message: string, isMissing = false) {
    super(message);
    this.isMissing = isMissing;
  }
}

const contentOf = (file: string): Promise<Buffer> =>
  readFile(file).catch((failure: NodeJS.ErrnoException) => {
    throw new UnreadFile(`${file}: cannot be read (${failure.code})`, failure.code === "ENOENT");
  });

function textOf(bytes: Buffer, label: string): string {
  if (bytes.length > constants.MAX_STRING_LENGTH) throw new UnreadFile(`${label}: too long for Node.js to read`);
  return bytes.toString("utf8");
}

/** The error of `JSON.parse` is not passed on, because it quotes the text. */
export function parseJson(text: string, label: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    throw new Error(`${label}: not complete JSON`);
  }
}
