import { constants } from "node:buffer";
import { readFile } from "node:fs/promises";
import { promisify } from "node:util";
import { gunzip } from "node:zlib";
import { readState, type StackIdentity, type StackState } from "../audit";
import { defined } from "../values/defined";
import type { Io } from "./command";
import { withProgress } from "./progress";
import { runPulumi } from "./pulumi";
import { say } from "./text";

/** How an exported stack is called. */
export const labelOf = (name: string | undefined): string =>
  name === undefined ? "the selected stack" : `stack ${name}`;

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
  const label = labelOf(name);
  // One argument each, so that a name that looks like an option is none.
  const args = ["stack", "export", ...(name === undefined ? [] : [`--stack=${name}`])];
  const printed = await withProgress(say`exporting ${label}`, shown, runPulumi(args, label, cwd, io));
  return readState(parsed(printed, label), label);
}

/** A file that `--state` names, and the stack whose state it is if the option says so. */
export interface StateOption {
  readonly file: string;
  readonly identity: StackIdentity | undefined;
}

/**
 * `FILE`, or `ORGANIZATION/PROJECT/STACK=FILE`. In front of these three a label stands for a backend that is not the present
 * one. A file whose path looks like that is given with `./` before it.
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
 * A state file: an exported one, or a checkpoint of a self-managed backend, compressed or not.
 * @param known which stack's state it is, if somebody says so
 * @throws Error that quotes nothing of the file
 */
export async function stateFile(file: string, known?: StackIdentity): Promise<StackState> {
  const bytes = await contentOf(file);
  const compressed = bytes[0] === 0x1f && bytes[1] === 0x8b;
  const plain = compressed ? await promisify(gunzip)(bytes).catch(() => undefined) : bytes;
  if (plain === undefined) throw new Error(`${file}: cannot be decompressed`);
  return readState(parsed(textOf(plain, file), file), file, known);
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
