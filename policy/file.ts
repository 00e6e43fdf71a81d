import { lstatSync, readFileSync } from "node:fs";
import { dirname, isAbsolute, join } from "node:path";
import { type Policy, readPolicy } from "../audit";
import { policyFileName } from "../audit/policyFile";

/** Names another one, for the audit and for the policy pack. */
const policyVariable = "EVENT_DATASETS_POLICY_FILE";

type Env = Readonly<Record<string, string | undefined>>;

/**
 * The policy file that applies where no option names one, in the audit and in the policy pack: the one that the environment
 * names, else the nearest `event-datasets.audit.json` in one of the folders or above it.
 * @param folders where to start: the next one counts only if there is none in or above the one before
 * @returns undefined if there is none
 * @throws Error for a relative path, and if a folder cannot be looked into
 */
export function locatePolicy(folders: readonly string[], env: Env): string | undefined {
  const named = env[policyVariable];
  if (named && !isAbsolute(named))
    throw new Error(
      `${policyVariable}: must be an absolute path: the engine runs a policy pack in the pack's own folder`,
    );
  if (named) return named;
  return folders.map(nearest).find((file) => file !== undefined);
}

/**
 * The policy that the policy pack enforces.
 * @param folder where to start: the engine runs a policy pack in the pack's own folder
 * @throws Error if there is none, since nothing would be enforced, and for one that cannot be used
 */
export function findPolicy(folder: string, env: Env): { readonly policy: Policy; readonly source: string } {
  const source = locatePolicy([folder], env);
  if (source === undefined)
    throw new Error(
      `there is no ${policyFileName} in ${folder} or above it: name the policy file with ${policyVariable}`,
    );
  return { policy: readPolicy(parsed(source), source), source: source.split(/[/\\]/).at(-1) ?? source };
}

function nearest(folder: string): string | undefined {
  const file = join(folder, policyFileName);
  if (isThere(file)) return file;
  const above = dirname(folder);
  return above === folder ? undefined : nearest(above);
}

/** Also a link to nothing is there: whoever made it wants a policy. */
function isThere(file: string): boolean {
  try {
    lstatSync(file);
    return true;
  } catch (failure) {
    const { code } = failure as NodeJS.ErrnoException;
    if (code === "ENOENT" || code === "ENOTDIR") return false;
    throw new Error(`${file}: cannot be looked for (${code})`);
  }
}

/** @throws Error that quotes nothing of the file */
function parsed(file: string): unknown {
  let text: string;
  try {
    text = readFileSync(file, "utf8");
  } catch (failure) {
    throw new Error(`${file}: cannot be read (${(failure as NodeJS.ErrnoException).code})`);
  }
  try {
    return JSON.parse(text);
  } catch {
    throw new Error(`${file}: not complete JSON`);
  }
}
