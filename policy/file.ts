import { existsSync, readFileSync } from "node:fs";
import { dirname, isAbsolute, join } from "node:path";
import { type Policy, readPolicy } from "../audit";

/** What the audit calls its policy file, too. */
const fileName = "event-datasets.audit.json";

/** Names another one. */
const variable = "EVENT_DATASETS_POLICY_FILE";

/**
 * The policy that is enforced: of the file that the environment names, else of the nearest `event-datasets.audit.json` in the
 * folder or above it.
 * @param folder where to start: the engine runs a policy pack in the pack's own folder
 * @throws Error if there is none, since nothing would be enforced, and for one that cannot be used
 */
export function findPolicy(
  folder: string,
  env: Readonly<Record<string, string | undefined>>,
): { readonly policy: Policy; readonly source: string } {
  const named = env[variable];
  if (named && !isAbsolute(named))
    throw new Error(`${variable}: must be an absolute path: the engine runs a policy pack in the pack's own folder`);
  const source = named || nearest(folder);
  if (source === undefined)
    throw new Error(`there is no ${fileName} in ${folder} or above it: name the policy file with ${variable}`);
  return { policy: readPolicy(parsed(source), source), source: source.split(/[/\\]/).at(-1) ?? source };
}

function nearest(folder: string): string | undefined {
  const file = join(folder, fileName);
  if (existsSync(file)) return file;
  const above = dirname(folder);
  return above === folder ? undefined : nearest(above);
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
