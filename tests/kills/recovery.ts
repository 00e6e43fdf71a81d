import { execFile } from "node:child_process";
import { promisify } from "node:util";
import type { Scene } from "./scene";
import { rootToken } from "./service";

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

/** Does what `event-datasets recover --apply` prints, in its order, and nothing else. */
export async function recoverAsPrinted(scene: Scene): Promise<Recovered> {
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
    if (code === 2) return { problems: [`recover could not tell: ${stdout}`], rounds: round, ...more() };
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
async function shell({ workspace, trap, profile }: Scene, line: string): Promise<{ stdout: string; code: number }> {
  const env = {
    ...workspace.environment(),
    PATH: `${workspace.root}:${process.env.PATH}`,
    PULUMI_SKIP_CONFIRMATIONS: "true",
    EVENT_DATASETS_BASE_URL: trap.url,
    EVENT_DATASETS_ACCESS_TOKEN: rootToken,
    EVENT_DATASETS_PROFILE: profile,
  };
  return promisify(execFile)("/bin/sh", ["-c", line], { cwd: workspace.program, env, timeout: 180_000 }).then(
    ({ stdout, stderr }) => ({ stdout: stdout + stderr, code: 0 }),
    (failure: { stdout: string; stderr: string; code: number }) => ({
      stdout: failure.stdout + failure.stderr,
      code: failure.code,
    }),
  );
}
