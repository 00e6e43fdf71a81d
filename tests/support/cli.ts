import path from "node:path";
import { builtCli } from "./build";
import { type CommandResult, start } from "./command";
import { PACKED_INSTALLATIONS } from "./packedInstallations";
import { CHECKOUT } from "./program";

/** All of them load the same modules; each writes what it was the first to compile. */
const compiled = path.join(process.env[PACKED_INSTALLATIONS] ?? "", "compiled-cli");

export interface CliOptions {
  readonly cwd?: string;
  /** Added to PATH, and nothing else of this process. */
  readonly env?: Readonly<Record<string, string | undefined>>;
  readonly stdin?: string;
}

/** Runs the built `event-datasets` to its end, in another process as a user does. */
export async function cli(
  args: readonly string[],
  { cwd = CHECKOUT, env = {}, stdin }: CliOptions = {},
): Promise<CommandResult> {
  const settings = {
    cwd,
    env: { PATH: process.env.PATH, NODE_COMPILE_CACHE: compiled, ...env },
    timeoutMs: 120_000,
    stdin,
  };
  return (await start(process.execPath, [builtCli(), ...args], settings)).done;
}
