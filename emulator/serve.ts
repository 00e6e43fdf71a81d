import { type DatasetFile, type Emulator, type EmulatorOptions, startEmulator } from "./emulator";
import { rootTokenVariable, serveFlags } from "./flags";
import { type Profile, profiles } from "./profiles";

/** Options of the command line, as they were typed. */
export type ServeValues = Readonly<
  Partial<Record<keyof typeof serveFlags, string | boolean | readonly (string | boolean)[] | undefined>>
>;

/** The command's connections to its environment. */
export interface ServeIo {
  /** Writes a line to standard output, for scripts. */
  readonly print: (line: string) => void;
  /** Writes a line to standard error. */
  readonly warn: (line: string) => void;
  readonly env: Readonly<Record<string, string | undefined>>;
  /** Resolves when the command should stop. */
  readonly stopped: () => Promise<unknown>;
  /** Runs while the service is ready. The command ends with it, and not with `stopped`. */
  readonly run?: (emulator: Emulator) => Promise<void>;
  /** Shows progress while the work runs. */
  readonly progress: <T>(words: string, work: Promise<T>) => Promise<T>;
}

/**
 * Runs the emulator until it is stopped.
 * @throws Error that names the option to change
 */
export async function serve(values: ServeValues, { print, warn, env, stopped, run, progress }: ServeIo): Promise<void> {
  const given = textOf(values, "root-token") ?? (env[rootTokenVariable] || undefined);
  if (given !== undefined && !/^[\x21-\x7e]+$/.test(given))
    throw new Error(`--root-token (or ${rootTokenVariable}): must be printable ASCII without spaces`);
  const options = {
    dataDir: textOf(values, "data") ?? serveFlags.data.preset,
    port: portOf(textOf(values, "port") ?? serveFlags.port.preset),
    rootToken: given,
    profile: profileOf(textOf(values, "profile") ?? serveFlags.profile.preset),
    datasets: filesOf(values.dataset),
    sample: values.sample === true,
    timeField: textOf(values, "time-field"),
    queryTimeoutMs: timeoutOf(textOf(values, "query-timeout") ?? serveFlags["query-timeout"].preset),
    rateLimit: rateLimitOf(textOf(values, "rate-limit")),
    onFailure: (failure: Error) => warn(`${failure.message}${failure.cause ? `: ${failure.cause}` : ""}`),
  } satisfies EmulatorOptions;
  const stop = stopped();
  const started = startEmulator(options).catch((failure: NodeJS.ErrnoException) => {
    throw explainFailure(failure, options);
  });
  const emulator = await progress("loading the data", started);
  print(`listening on ${emulator.url}`);
  for (const name of new Set([...(options.sample ? ["web"] : []), ...options.datasets.map((of) => of.name)])) {
    const events = emulator.loaded.get(name);
    warn(`dataset ${name}: ${events === undefined ? "as it is in the data folder" : `${events} events loaded`}`);
  }
  if (given === undefined) print(`root token ${emulator.rootToken}`);
  warn(`page ${emulator.url}/ (asks for the root token)`);
  try {
    await (run ? run(emulator) : stop);
  } finally {
    await emulator.close();
  }
}

function textOf(values: ServeValues, name: keyof typeof serveFlags): string | undefined {
  const value = values[name];
  return typeof value === "string" ? value : undefined;
}

function portOf(text: string): number {
  if (!/^\d{1,5}$/.test(text) || Number(text) > 65_535)
    throw new Error("--port: must be a whole number from 0 to 65535");
  return Number(text);
}

/** A day. The timers of Node.js allow at most 24 days. */
const longestTimeoutS = 86_400;

function timeoutOf(text: string): number {
  const seconds = /^\d{1,5}(\.\d{1,3})?$/.test(text) ? Number(text) : 0;
  if (!(seconds > 0 && seconds <= longestTimeoutS))
    throw new Error(`--query-timeout: must be a number of seconds, more than 0 and at most ${longestTimeoutS}`);
  return Math.ceil(seconds * 1000);
}

function rateLimitOf(text: string | undefined): { readonly requests: number } | undefined {
  if (text !== undefined && !/^[1-9]\d{0,8}$/.test(text))
    throw new Error("--rate-limit: must be a whole number from 1");
  return text === undefined ? undefined : { requests: Number(text) };
}

function filesOf(given: ServeValues["dataset"]): DatasetFile[] {
  return (Array.isArray(given) ? given.map(String) : []).map((text) => {
    const [, name, file] = /^([^=]+)=(.+)$/s.exec(text) ?? [];
    if (!name || !file) throw new Error("--dataset: must be <name>=<file>");
    return { name, file };
  });
}

function profileOf(text: string): Profile {
  const profile = profiles.find((name) => name === text);
  if (!profile) throw new Error(`--profile: must be one of ${profiles.join(", ")}`);
  return profile;
}

/** Adds the option to change to a failure's message. */
function explainFailure(
  failure: NodeJS.ErrnoException,
  options: { readonly dataDir: string; readonly port: number },
): Error {
  switch (failure.syscall) {
    case "listen":
      return new Error(
        `--port ${options.port}: ${failure.code === "EADDRINUSE" ? "already in use; --port 0 takes any free one" : failure.code}`,
      );
    case undefined:
      return new Error(failure.message);
    default:
      return new Error(`--data ${options.dataDir}: cannot be used: ${failure.message}`);
  }
}
