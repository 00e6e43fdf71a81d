import { type DatasetFile, type Profile, profiles, startEmulator } from "../emulator";
import { type Command, textOf, type Values } from "./command";

const defaultFolder = ".event-datasets";
const defaultPort = "7380";
const rootTokenVariable = "EVENT_DATASETS_ROOT_TOKEN";

const help = `Usage: event-datasets serve [options]

Runs a local service that speaks the documented interface, on 127.0.0.1, until it gets SIGINT or SIGTERM.
When it is ready it prints "listening on http://127.0.0.1:<port>", and then, unless you set the root token,
"root token <token>".

Options:
  --data <folder>       where it keeps its data; only hashes of secrets are kept (default: ${defaultFolder})
  --port <number>       0 takes any free port (default: ${defaultPort})
  --root-token <token>  the token that may do everything (default: a new random one). Others on this machine can
                        see the options of a process: the variable ${rootTokenVariable} is the safer way
  --profile <name>      documented, or extended: what the public service offers beyond the documented interface
                        (default: documented)
  --dataset <name=file> a dataset with the events of a file (NDJSON, a JSON array, CSV or Parquet), unless the data
                        folder has the dataset already; repeatable. Needs the package @duckdb/node-api
  --time-field <name>   the field of these files that holds an event's time (default: _time; without one, it is the
                        time of loading)
  --rate-limit <n>      answers more than n requests a minute with 429 (default: a million in the extended profile)
  --faults              serves /_test/… to the root token: changes behind your back, and faults. For tests
  --help                prints this`;

/** Runs the emulator until a signal arrives. */
export const serve: Command = {
  help,
  options: {
    data: { type: "string", default: defaultFolder },
    port: { type: "string", default: defaultPort },
    "root-token": { type: "string" },
    profile: { type: "string", default: "documented" },
    dataset: { type: "string", multiple: true },
    "time-field": { type: "string" },
    "rate-limit": { type: "string" },
    faults: { type: "boolean", default: false },
  },

  async run(values, { print, warn, env, stopped }) {
    const given = textOf(values, "root-token") ?? (env[rootTokenVariable] || undefined);
    if (given !== undefined && !/^[\x21-\x7e]+$/.test(given))
      throw new Error(`--root-token (or ${rootTokenVariable}): must be printable ASCII without spaces`);
    const options = {
      dataDir: textOf(values, "data") ?? defaultFolder,
      port: portOf(textOf(values, "port") ?? defaultPort),
      rootToken: given,
      profile: profileOf(textOf(values, "profile") ?? "documented"),
      datasets: filesOf(values.dataset),
      timeField: textOf(values, "time-field"),
      rateLimit: rateLimitOf(textOf(values, "rate-limit")),
      faults: values.faults === true,
      onFailure: (failure: Error) => warn(`${failure.message}${failure.cause ? `: ${failure.cause}` : ""}`),
    };
    const stop = stopped();
    const emulator = await startEmulator(options).catch((failure: NodeJS.ErrnoException) => {
      throw explained(failure, options);
    });
    print(`listening on ${emulator.url}`);
    for (const name of new Set(options.datasets.map((dataset) => dataset.name))) {
      const events = emulator.loaded.get(name);
      warn(`dataset ${name}: ${events === undefined ? "as it is in the data folder" : `${events} events loaded`}`);
    }
    if (given === undefined) print(`root token ${emulator.rootToken}`);
    await stop;
    await emulator.close();
    return 0;
  },
};

function portOf(text: string): number {
  if (!/^\d{1,5}$/.test(text) || Number(text) > 65_535)
    throw new Error("--port: must be a whole number from 0 to 65535");
  return Number(text);
}

function rateLimitOf(text: string | undefined): { readonly requests: number } | undefined {
  if (text !== undefined && !/^[1-9]\d{0,8}$/.test(text))
    throw new Error("--rate-limit: must be a whole number from 1");
  return text === undefined ? undefined : { requests: Number(text) };
}

function filesOf(given: Values[string]): DatasetFile[] {
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

/** Which option to change. */
function explained(
  failure: NodeJS.ErrnoException,
  options: { readonly dataDir: string; readonly port: number },
): Error {
  switch (failure.syscall) {
    case "listen":
      return new Error(`--port ${options.port}: ${failure.code === "EADDRINUSE" ? "already in use" : failure.code}`);
    case undefined:
      return new Error(failure.message);
    default:
      return new Error(`--data ${options.dataDir}: cannot be used: ${failure.message}`);
  }
}
