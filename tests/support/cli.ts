import { builtCli } from "./build";
import { type CommandResult, start } from "./command";
import { CHECKOUT } from "./program";

export interface CliOptions {
  readonly cwd?: string;
  /** Added to PATH and nothing else of this process. */
  readonly env?: Readonly<Record<string, string | undefined>>;
  readonly stdin?: string;
}

/** Runs the built `event-datasets` to its end, in another process as a user does. */
export async function cli(
  args: readonly string[],
  { cwd = CHECKOUT, env = {}, stdin }: CliOptions = {},
): Promise<CommandResult> {
  const settings = { cwd, env: { PATH: process.env.PATH, ...env }, timeoutMs: 120_000, stdin };
  return (await start(process.execPath, [builtCli(), ...args], settings)).done;
}
