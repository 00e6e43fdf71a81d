import { type ParseArgsConfig, parseArgs } from "node:util";
import { endLike, runChild } from "./child";
import { type Emulator, environmentOf } from "./emulator";
import { rootTokenVariable, serveFlags, serveText } from "./flags";
import { serve } from "./serve";

const name = "event-datasets-emulator";

const options: NonNullable<ParseArgsConfig["options"]> = {
  help: { type: "boolean", short: "h" },
  ...Object.fromEntries(
    Object.entries(serveFlags).map(([flag, spec]) => [
      flag,
      { type: "value" in spec ? ("string" as const) : ("boolean" as const), multiple: "multiple" in spec },
    ]),
  ),
};

/** Serves until a signal, or as long as the command after `--` runs. */
export async function runCommandLine(args: readonly string[]): Promise<void> {
  try {
    const dashes = args.indexOf("--");
    const own = dashes < 0 ? args : args.slice(0, dashes);
    const command = dashes < 0 ? undefined : args.slice(dashes + 1);
    const { values } = parseArgs({ options, args: [...own] });
    if (values.help === true) process.stdout.write(`${helpText()}\n`);
    else if (command?.length === 0) throw new Error("name a command after --");
    else await serveFor(command, values);
  } catch (failure) {
    process.stderr.write(`${name}: ${(failure as Error).message}\n`);
    process.exitCode = 2;
  }
}

function serveFor(command: readonly string[] | undefined, values: Parameters<typeof serve>[0]): Promise<void> {
  const warn = (line: string) => void process.stderr.write(`${name}: ${line}\n`);
  const runCommand = async (words: readonly string[], emulator: Emulator) =>
    endLike(await runChild(words, { ...process.env, ...environmentOf(emulator) }));
  return serve(values, {
    // The command's own output goes to standard output.
    print: command ? () => undefined : (line) => process.stdout.write(`${line}\n`),
    warn,
    env: process.env,
    stopped: () => (command ? Promise.resolve() : stopSignal()),
    ...(command && { run: (emulator) => runCommand(command, emulator) }),
    progress: (_, work) => work,
  });
}

const stopSignal = () =>
  new Promise<void>((resolve) => {
    for (const signal of ["SIGINT", "SIGTERM"] as const) process.once(signal, () => resolve());
  });

function helpText(): string {
  const flags = Object.entries(serveFlags).map(([flag, spec]) => {
    const value = "value" in spec ? ` <${spec.value}>` : "";
    const preset = "preset" in spec ? ` (default: ${spec.preset})` : "";
    return `  --${flag}${value}\n      ${spec.help}${preset}`;
  });
  const usage = `Usage: ${name} [options]\n       ${name} [options] -- <command> [arguments]`;
  const child =
    "With a command, it serves as long as the command runs, and exits with its code. The command gets the settings of a client: EVENT_DATASETS_BASE_URL, EVENT_DATASETS_ACCESS_TOKEN and EVENT_DATASETS_PROFILE. The data stays in the folder, for the next command.";
  return [usage, ...serveText, child, "Options:", ...flags, `Environment: ${rootTokenVariable}`].join("\n\n");
}
