import { execFile } from "node:child_process";
import { chmod, writeFile } from "node:fs/promises";
import path from "node:path";
import { promisify } from "node:util";
import type { Profile } from "../../sdk";
import { builtCli } from "../support/build";
import type { Workspace } from "../support/engine";

/** How often what is printed may have to be followed before nothing is left to mend. */
const mostRounds = 4;

export interface Recovered {
  readonly problems: readonly string[];
  /** How often "recover" had to be run. */
  readonly rounds: number;
  /** What had to be done again: the steps that failed in the rounds before the last, with what they said. */
  readonly retried: readonly string[];
  /** An empty file of attributes was in the way. */
  readonly emptyAttributes: boolean;
  readonly pending: boolean;
  /** What the audit printed at the end. */
  readonly report: string;
}

/** A stack that something happened to, and the service that it works on. */
export interface Stricken {
  readonly workspace: Workspace;
  readonly connection: { readonly baseUrl: string; readonly accessToken: string; readonly profile: Profile };
}

/** Puts `event-datasets` where the commands that are printed find it. */
export async function installCommand({ root }: Workspace): Promise<void> {
  const command = path.join(root, "event-datasets");
  await writeFile(command, `#!/bin/sh\nexec '${process.execPath}' '${builtCli()}' "$@"\n`);
  await chmod(command, 0o755);
}

/** Does what `event-datasets recover --apply` prints, in its order, and nothing else. */
export async function recoverAsPrinted(scene: Stricken): Promise<Recovered> {
  let output = "";
  let report = "";
  const retried: string[] = [];
  for (let round = 1; round <= mostRounds; round++) {
    const { stdout, code } = await shell(scene, "event-datasets recover --apply --stack dev");
    output += stdout;
    const more = () => ({
      emptyAttributes: /\.attrs is empty/.test(output),
      pending: /never ended/.test(output),
      report,
      retried,
    });
    // Neither "nothing is left" nor "something is": it could not tell, or did not end.
    if (code !== 0 && code !== 1)
      return { problems: [`recover ended with ${code}: ${stdout}`], rounds: round, ...more() };
    const steps = [...stdout.matchAll(/^ {2}([^#].*)$/gm)].map(([, step]) => step ?? "");
    const failures: string[] = stdout.includes('"event-datasets recover" again') ? ["the state cannot be read"] : [];
    for (const step of steps) {
      const done = await shell(scene, step.replace("tokens revoke", "tokens revoke --yes"));
      if (step.includes(" audit")) report = done.stdout;
      // The audit has findings where something is left alive.
      else if (done.code !== 0) failures.push(`${step}: ${done.code}: ${done.stdout}`);
    }
    if (failures.length === 0) return { problems: [], rounds: round, ...more() };
    retried.push(...failures);
    if (round === mostRounds) return { problems: failures, rounds: round, ...more() };
  }
  throw new Error("unreachable");
}

/** Runs a line of a shell as the user of the stack. */
async function shell({ workspace, connection }: Stricken, line: string): Promise<{ stdout: string; code: number }> {
  const env = {
    ...workspace.environment(),
    PATH: `${workspace.root}:${workspace.environment().PATH}`,
    PULUMI_SKIP_CONFIRMATIONS: "true",
    EVENT_DATASETS_BASE_URL: connection.baseUrl,
    EVENT_DATASETS_ACCESS_TOKEN: connection.accessToken,
    EVENT_DATASETS_PROFILE: connection.profile,
  };
  return promisify(execFile)("/bin/sh", ["-c", line], { cwd: workspace.program, env, timeout: 180_000 }).then(
    ({ stdout, stderr }) => ({ stdout: stdout + stderr, code: 0 }),
    // Without a code it was ended by its time limit.
    (failure: { stdout: string; stderr: string; code: number | null }) => ({
      stdout: failure.stdout + failure.stderr,
      code: failure.code ?? -1,
    }),
  );
}
