import { lstatSync } from "node:fs";
import { dirname, isAbsolute, join } from "node:path";
import { type Policy, readPolicy } from "..";
import { readJsonFile } from "../jsonFile";
import { policyFileName } from "../policyFile";

/** Names a policy file for the audit and for the policy pack. */
const policyVariable = "EVENT_DATASETS_POLICY_FILE";

type Env = Readonly<Record<string, string | undefined>>;

/**
 * Finds the policy file if no option names one: the file that the environment names, else the nearest `event-datasets.audit.json` in
 * the folder or above it.
 * @returns undefined if there is none
 * @throws Error for a relative path, and if a folder cannot be read
 */
export function locatePolicy(folder: string, env: Env): string | undefined {
  const named = env[policyVariable];
  if (named && !isAbsolute(named))
    throw new Error(
      `${policyVariable}: must be an absolute path: the engine runs a policy pack in the pack's own folder`,
    );
  return named || findNearest(folder);
}

/**
 * Reads the policy that the policy pack enforces.
 * @param folder the folder of the pack, in which the engine runs it
 * @throws Error without a policy file, because nothing would be enforced, and for an invalid one
 */
export function findPolicy(folder: string, env: Env): { readonly policy: Policy; readonly source: string } {
  const source = locatePolicy(folder, env);
  if (source === undefined)
    throw new Error(
      `there is no ${policyFileName} in ${folder} or above it: name the policy file with ${policyVariable}`,
    );
  return { policy: readPolicy(readJsonFile(source), source), source: source.split(/[/\\]/).at(-1) ?? source };
}

function findNearest(folder: string): string | undefined {
  const file = join(folder, policyFileName);
  if (isThere(file)) return file;
  const above = dirname(folder);
  return above === folder ? undefined : findNearest(above);
}

/** A dangling link counts as existing: its owner wants a policy. */
function isThere(file: string): boolean {
  try {
    lstatSync(file);
    return true;
  } catch (failure) {
    const { code } = failure as NodeJS.ErrnoException;
    if (code === "ENOENT" || code === "ENOTDIR") return false;
    throw new Error(`${file}: cannot be accessed (${code})`);
  }
}
