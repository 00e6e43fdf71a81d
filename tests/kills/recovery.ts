import { execFile } from "node:child_process";
import { chmod, readdir, rm, stat, writeFile } from "node:fs/promises";
import path from "node:path";
import { promisify } from "node:util";
import type { Profile } from "../../sdk";
import { builtCli } from "../support/checkout";
import type { Workspace } from "../support/engine";
import { ageTokens } from "../support/stack";
import { withWarmHosts } from "../support/warmHosts";

/** A command that is cut off leaves its engine running, and the stack locked: this is for those that hang, not for slow machines. */
export const timeLimit = 600_000;

export interface Recovered {
  readonly problems: readonly string[];
  readonly pending: boolean;
  /** The output of the last audit. */
  readonly report: string;
}

/** A stack that something happened to, and the service that it works on. */
export interface Stricken {
  readonly workspace: Workspace;
  readonly connection: { readonly baseUrl: string; readonly accessToken: string; readonly profile: Profile };
  /** Does what an error or a warning of an update asks for; false: they ask for nothing. */
  heed?(printed: string): Promise<boolean>;
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
 * Does what the guide about interruptions says and `pulumi-event-datasets recover` prints, in its order, and nothing else. Once: what it
 * prints must be enough.
 */
export async function recoverAsPrinted(scene: Stricken): Promise<Recovered> {
  await removeEmptyAttributes(scene.workspace);
  await shell(scene, "pulumi cancel --yes --stack dev"); // without a lock it fails
  const { stdout, code } = await shell(scene, "pulumi-event-datasets recover --stack dev");
  const problems: string[] = [];
  // Neither "nothing is left" nor "something is": it could not check, or did not end.
  if (code !== 0 && code !== 1) problems.push(`recover ended with ${code}: ${stdout}`);
  if (stdout.includes("then run this again")) problems.push(`the state is of another account: ${stdout}`);
  const block = [...stdout.matchAll(/^ {2}([^#].*)$/gm)].map(([, line]) => line).join("\n");
  const done =
    problems.length > 0 ? undefined : await update(scene, block.replace("tokens revoke", "tokens revoke --yes"));
  // The last command is the audit, which has findings where something is left alive.
  // After a destroy an account can be empty, and its first access token is not one of the listed ones.
  const isTold = done?.code === 2 && done.stdout.includes("lists no tokens");
  if (done && !isTold && done.code !== 0 && done.code !== 1)
    problems.push(`${block} ended with ${done.code}: ${done.stdout}`);
  // Where nothing is left to fix, the guide says to deploy again.
  if (problems.length === 0 && !block.includes("pulumi up")) {
    const again = await update(scene, "pulumi up --yes --stack dev");
    if (again.code !== 0) problems.push(`pulumi up ended with ${again.code}: ${again.stdout}`);
  }
  return {
    problems,
    pending: /create of .* did not finish|update that did not finish/.test(stdout),
    report: done?.stdout ?? "",
  };
}

/** Runs commands. If their update says what to do, does that, and runs the update again. */
async function update(scene: Stricken, commands: string): ReturnType<typeof shell> {
  const done = await shell(scene, commands);
  const isHeeded = await scene.heed?.(done.stdout);
  return isHeeded ? await shell(scene, commands.slice(commands.indexOf("pulumi up"))) : done;
}

/** Every command fails with EOF as long as one is there. */
async function removeEmptyAttributes({ backend }: Workspace): Promise<void> {
  const folder = path.join(backend, ".pulumi", "stacks");
  const files = (await readdir(folder, { recursive: true })).filter((file) => file.endsWith(".attrs"));
  for (const file of files.map((name) => path.join(folder, name))) if ((await stat(file)).size === 0) await rm(file);
}

/** Runs a line of a shell as the user of the stack, in warm hosts: nothing kills what runs here. */
export async function shell(
  { workspace, connection }: Stricken,
  line: string,
): Promise<{ stdout: string; code: number }> {
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
  const settings = { cwd: workspace.program, env: withWarmHosts(env), timeout: timeLimit };
  return promisify(execFile)("/bin/sh", ["-c", line], settings).then(
    ({ stdout, stderr }) => ({ stdout: stdout + stderr, code: 0 }),
    // Without a code it was ended by its time limit.
    (failure: { stdout: string; stderr: string; code: number | null }) => ({
      stdout: failure.stdout + failure.stderr,
      code: failure.code ?? -1,
    }),
  );
}
