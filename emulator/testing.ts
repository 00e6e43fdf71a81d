import "./checkNode";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import * as service from "./index";

/** Options for an emulator in a test. */
export interface EmulatorOptions {
  /**
   * The profile that the emulator serves.
   * @default "documented"
   */
  readonly profile?: service.Profile | undefined;
  /** Datasets with their events. An event's time is its `_time`. */
  readonly datasets?: Readonly<Record<string, readonly service.JsonObject[]>> | undefined;
  /**
   * The clock of the emulator, for example for expiries and for the default time of annotations.
   * @default this machine's clock
   */
  readonly now?: (() => Date) | undefined;
}

/** A running emulator, with an empty account of its own. */
export interface Emulator extends AsyncDisposable, Pick<service.Emulator, "profile" | "calls">, service.Backdoors {
  /** The address of the emulator, such as `http://127.0.0.1:41234`. */
  readonly baseUrl: string;
  /** An access token that may do everything. */
  readonly accessToken: string;
  /** The settings as environment variables, for a program that runs in another process. */
  readonly env: Readonly<Record<string, string>>;
  /** Adds events to a dataset. */
  ingest(dataset: string, events: readonly service.JsonObject[]): Promise<void>;
  /** Makes the next matching requests fail. */
  inject(fault: service.Fault): void;
  /** Stops the emulator and removes its data. `await using` calls it; a second call does nothing. */
  stop(): Promise<void>;
}

/**
 * Starts an emulator for a test, on loopback and any free port, with its data in a temporary folder. Works with any test
 * runner.
 * @throws Error if a dataset cannot be loaded
 *
 * @example
 * ```ts
 * await using emulator = await startEmulator({ datasets: { web: [{ _time: "2030-01-01T00:00:00Z", status: 500 }] } });
 * await runProgram({ env: emulator.env });
 * expect(emulator.tokens.list()).toMatchObject([{ name: "ci" }]);
 * ```
 */
export async function startEmulator(options: EmulatorOptions = {}): Promise<Emulator> {
  const { profile = "documented", datasets = {}, now } = options;
  const dataDir = await mkdtemp(join(tmpdir(), `event-datasets-testing-${process.pid}-`));
  const removeData = () => rm(dataDir, { recursive: true, force: true, maxRetries: 5 });
  const started = await service.startEmulator({ dataDir, profile, now }).catch(async (failure) => {
    await removeData();
    throw failure;
  });
  let stopped: Promise<void> | undefined;
  const stop = () => {
    stopped ??= started.close().finally(removeData);
    return stopped;
  };
  try {
    for (const [dataset, events] of Object.entries(datasets)) await started.ingest(dataset, events);
  } catch (failure) {
    await stop();
    throw failure;
  }
  const { url: baseUrl, rootToken: accessToken, loaded: _, close: __, crash: ___, ...shared } = started;
  const env = service.environmentOf(started);
  return { ...shared, baseUrl, accessToken, env, stop, [Symbol.asyncDispose]: stop };
}
