import { readState, readTerraformState, type StackIdentity, type StackState } from "../audit";
import { parseJson, readJsonFile } from "../audit/jsonFile";
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
 * Reads a state file: an exported state, or a checkpoint of a self-managed backend.
 * @param known the stack of the state, if it is known
 * @throws Error that quotes nothing of the file
 */
export const readStateFile = (file: string, known?: StackIdentity): StackState =>
  readState(readJsonFile(file), file, known);

/**
 * Reads a state of Terraform or OpenTofu.
 * @throws Error that quotes nothing of the file, with the command that writes a file which can be read
 */
export function readTerraformFile(file: string): StackState {
  try {
    return readTerraformState(readJsonFile(file), file);
  } catch (failure) {
    throw new Error(`${(failure as Error).message}. ${terraformAdvice}`);
  }
}

const terraformAdvice =
  'Write the state with "terraform state pull >state.json", or with "tofu show -json >state.json", which decrypts it. Nothing was audited.';
