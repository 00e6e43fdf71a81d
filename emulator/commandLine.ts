import { endLike, runChild } from "./child";
import { environmentOf, startEmulator } from "./emulator";
import { optionsHelp, readOptions, rootTokenVariable, wrapText } from "./options";

const name = "event-datasets-emulator";

const warn = (line: string) => void process.stderr.write(`${name}: ${line}\n`);

/** Serves until a signal, or as long as the command after `--` runs. */
export async function runCommandLine(args: readonly string[]): Promise<void> {
  try {
    const dashes = args.indexOf("--");
    const command = dashes < 0 ? undefined : args.slice(dashes + 1);
    const options = readOptions(dashes < 0 ? args : args.slice(0, dashes), process.env);
    if (!options) process.stdout.write(`${helpText()}\n`);
    else if (command?.length === 0) throw new Error("name a command after --");
    else await serveFor(command, options);
  } catch (failure) {
    warn((failure as Error).message);
    process.exitCode = 2;
  }
}

type Options = NonNullable<ReturnType<typeof readOptions>>;

async function serveFor(command: readonly string[] | undefined, options: Options): Promise<void> {
  // The command's own output goes to standard output.
  const print = (line: string) => void (command ?? process.stdout.write(`${line}\n`));
  const stopped = command ? undefined : stopSignal();
  const onFailure = (failure: Error) => warn(`${failure.message}${failure.cause ? `: ${failure.cause}` : ""}`);
  const emulator = await startEmulator({ ...options, onFailure }).catch((failure: NodeJS.ErrnoException) => {
    throw explainFailure(failure, options);
  });
  print(`listening on ${emulator.url}`);
  for (const dataset of new Set([...(options.sample ? ["web"] : []), ...options.datasets.map((of) => of.name)])) {
    const events = emulator.loaded.get(dataset);
    warn(`dataset ${dataset}: ${events === undefined ? "as it is in the data folder" : `${events} events loaded`}`);
  }
  if (options.rootToken === undefined) print(`root token ${emulator.rootToken}`);
  warn(`page ${emulator.url}/ (asks for the root token)`);
  try {
    if (command) endLike(await runChild(command, { ...process.env, ...environmentOf(emulator) }));
    await stopped;
  } finally {
    await emulator.close();
  }
}

const stopSignal = () =>
  new Promise<void>((resolve) => {
    for (const signal of ["SIGINT", "SIGTERM"] as const) process.once(signal, () => resolve());
  });

/** Adds the option to change to a failure's message. */
function explainFailure(failure: NodeJS.ErrnoException, options: Options): Error {
  switch (failure.syscall) {
    case "listen":
      return new Error(
        `--port ${options.port}: ${failure.code === "EADDRINUSE" ? "already in use; --port 0 takes any free port" : failure.code}`,
      );
    case undefined:
      return new Error(failure.message);
    default:
      return new Error(`--data ${options.dataDir}: cannot be used: ${failure.message}`);
  }
}

function helpText(): string {
  const usage = `Usage: ${name} [options]\n       ${name} [options] -- <command> [arguments]`;
  const texts = [
    'Runs a local stand-in for Axiom\'s API, on 127.0.0.1, until it gets SIGINT or SIGTERM. When it is ready it prints "listening on http://127.0.0.1:<port>", and then, unless you set the root token, "root token <token>".',
    "At / it serves a web page, which asks for the root token. The page shows tokens, the last requests with their outcome, annotations over a dataset's events, datasets, and queries with charts.",
  ];
  const child =
    "With a command, it runs until the command ends, and exits with its code. The command gets the settings of a client: EVENT_DATASETS_BASE_URL, EVENT_DATASETS_ACCESS_TOKEN and EVENT_DATASETS_PROFILE. The data stays in the folder, so the next command finds it there.";
  const paragraphs = [...texts, child].map((text) => wrapText(text));
  return [usage, ...paragraphs, "Options:", ...optionsHelp, `Environment: ${rootTokenVariable}`].join("\n\n");
}
