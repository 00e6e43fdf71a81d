import { type DatasetFile, type Profile, profiles, startEmulator } from "../emulator";
import { type Command, textOf, type Values } from "./command";
import { serve as manual, rootTokenVariable } from "./manuals/serve";
import { withProgress } from "./progress";

const [{ flags }] = manual.groups;

/** Runs the emulator until a signal arrives. */
export const serve: Command = {
  async run(values, { print, warn, env, stopped, progress }) {
    const given = textOf(values, "root-token") ?? (env[rootTokenVariable] || undefined);
    if (given !== undefined && !/^[\x21-\x7e]+$/.test(given))
      throw new Error(`--root-token (or ${rootTokenVariable}): must be printable ASCII without spaces`);
    const options = {
      dataDir: textOf(values, "data") ?? flags.data.preset,
      port: portOf(textOf(values, "port") ?? flags.port.preset),
      rootToken: given,
      profile: profileOf(textOf(values, "profile") ?? "documented"),
      datasets: filesOf(values.dataset),
      timeField: textOf(values, "time-field"),
      rateLimit: rateLimitOf(textOf(values, "rate-limit")),
      faults: values.faults === true,
      onFailure: (failure: Error) => warn(`${failure.message}${failure.cause ? `: ${failure.cause}` : ""}`),
    };
    const stop = stopped();
    const started = startEmulator(options).catch((failure: NodeJS.ErrnoException) => {
      throw explained(failure, options);
    });
    const emulator = await withProgress("loading the data", progress, started);
    print(`listening on ${emulator.url}`);
    for (const name of new Set(options.datasets.map((dataset) => dataset.name))) {
      const events = emulator.loaded.get(name);
      warn(`dataset ${name}: ${events === undefined ? "as it is in the data folder" : `${events} events loaded`}`);
    }
    if (given === undefined) print(`root token ${emulator.rootToken}`);
    warn(`page ${emulator.url}/ (asks for the root token)`);
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
      return new Error(
        `--port ${options.port}: ${failure.code === "EADDRINUSE" ? "already in use; --port 0 takes any free one" : failure.code}`,
      );
    case undefined:
      return new Error(failure.message);
    default:
      return new Error(`--data ${options.dataDir}: cannot be used: ${failure.message}`);
  }
}
