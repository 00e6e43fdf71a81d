import { execFile } from "node:child_process";
import { chmod, writeFile } from "node:fs/promises";
import path from "node:path";
import { promisify } from "node:util";
import type { Profile } from "../../sdk";
import { builtCli } from "../support/build";
import type { Workspace } from "../support/engine";
import { ageTokens } from "../support/stackFiles";
import { beginProgram, withWarmHooks } from "../support/warmHosts";

/** A command that is cut off leaves its engine running, and the stack locked: this is for those that hang, not for slow machines. */
export const timeLimit = 600_000;

export interface Recovered {
  readonly problems: readonly string[];
  /** An empty file of attributes was in the way. */
  readonly emptyAttributes: boolean;
  readonly pending: boolean;
  /** The output of the last audit. */
  readonly report: string;
}

/** A stack that something happened to, and the service that it works on. */
export interface Stricken {
  readonly workspace: Workspace;
  readonly connection: { readonly baseUrl: string; readonly accessToken: string; readonly profile: Profile };
}

/** Puts `pulumi-event-datasets` and `npx` where the commands that are printed find them: nothing is downloaded. */
export async function installCommand({ root }: Workspace): Promise<void> {
  const command = path.join(root, "pulumi-event-datasets");
  await writeFile(command, `#!/bin/sh\nexec '${process.execPath}' '${builtCli()}' "$@"\n`);
  await chmod(command, 0o755);
  const runner = path.join(root, "npx");
  await writeFile(runner, `#!/bin/sh\nexec "$@"\n`);
  await chmod(runner, 0o755);
}

/**
 * Does what `pulumi-event-datasets recover --apply` prints, in its order, and nothing else. Once: what it prints must be enough. In a
 * container nothing can tell it that the update ended, so it prints some commands for a person who knows, as this does.
 */
export async function recoverAsPrinted(scene: Stricken): Promise<Recovered> {
  const diagnose = () => shell(scene, "pulumi-event-datasets recover --apply --stack dev");
  const first = await diagnose();
  const ofPerson = [...first.stdout.matchAll(/^ {2}# .*make sure that it ended; then: (.*)$/gm)];
  for (const [, step = ""] of ofPerson) await shell(scene, step);
  const { stdout, code } = ofPerson.length === 0 ? first : await diagnose();
  const problems: string[] = [];
  let report = "";
  // Neither "nothing is left" nor "something is": it could not tell, or did not end.
  if (code !== 0 && code !== 1) problems.push(`recover ended with ${code}: ${stdout}`);
  if (stdout.includes("then run this again")) problems.push(`the state cannot be read: ${stdout}`);
  for (const [, step = ""] of problems.length > 0 ? [] : stdout.matchAll(/^ {2}([^#].*)$/gm)) {
    const done = await shell(scene, step.replace("tokens revoke", "tokens revoke --yes"));
    if (step.includes(" audit")) report = done.stdout;
    // The audit has findings where something is left alive.
    const succeeded = step.includes(" audit") ? done.code === 0 || done.code === 1 : done.code === 0;
    if (!succeeded) problems.push(`${step} ended with ${done.code}: ${done.stdout}`);
  }
  return {
    problems,
    emptyAttributes: /\.attrs is empty/.test(first.stdout),
    pending: /never finished/.test(stdout),
    report,
  };
}

/** Runs a line of a shell as the user of the stack, in warm hosts: nothing kills what runs here. */
async function shell({ workspace, connection }: Stricken, line: string): Promise<{ stdout: string; code: number }> {
  const environment = workspace.environment();
  // A new token that is not found is not treated as gone. A state that a kill broke stays as it is.
  await ageTokens(workspace).catch(() => undefined);
  const env: NodeJS.ProcessEnv = {
    ...environment,
    PATH: `${workspace.root}:${environment.PATH}`,
    PULUMI_SKIP_CONFIRMATIONS: "true",
    // A preview takes as long as the update, and changes nothing.
    PULUMI_OPTION_SKIP_PREVIEW: "true",
    EVENT_DATASETS_BASE_URL: connection.baseUrl,
    EVENT_DATASETS_ACCESS_TOKEN: connection.accessToken,
    EVENT_DATASETS_PROFILE: connection.profile,
  };
  // The engine takes flags from variables as well: the line stays as it was printed.
  const program = line.includes("pulumi up") ? await beginProgram(env, workspace.program) : undefined;
  for (const [, name = "", value] of program?.flags.map((flag) => /^--(.*)=(.*)$/.exec(flag) ?? []) ?? []) {
    env[`PULUMI_OPTION_${name.replace("-", "_").toUpperCase()}`] = value;
  }
  const settings = { cwd: workspace.program, env: withWarmHooks(env), timeout: timeLimit };
  return promisify(execFile)("/bin/sh", ["-c", line], settings)
    .then(
      ({ stdout, stderr }) => ({ stdout: stdout + stderr, code: 0 }),
      // Without a code it was ended by its time limit.
      (failure: { stdout: string; stderr: string; code: number | null }) => ({
        stdout: failure.stdout + failure.stderr,
        code: failure.code ?? -1,
      }),
    )
    .finally(() => program?.end());
}
