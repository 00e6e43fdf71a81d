import { randomUUID } from "node:crypto";
import path from "node:path";
import { auditDataset } from "./auditLog";
import { type Backdoors, backdoors } from "./backdoor";
import { noteDatasets } from "./datasetList";
import { Engine } from "./engine/engine";
import { type Fault, FaultPlan } from "./faults";
import { hashOf } from "./hash";
import type { JsonObject } from "./json";
import { pageRoutes } from "./pageRoutes";
import type { Profile } from "./profiles";
import { RateLimit, type RateLimitOptions } from "./rateLimit";
import { RecentRequests } from "./recentRequests";
import { routes } from "./routes";
import { type AuditEntry, routesOf, type Service } from "./routing";
import { sampleEvents } from "./sample";
import { EmulatorServer, type LoggedCall } from "./server";
import { Store } from "./store";

/** A file with the first events of a dataset. */
export interface DatasetFile {
  readonly name: string;
  readonly file: string;
}

export interface EmulatorOptions {
  /** The folder for the data, created if missing. Only one emulator at a time can use it. */
  readonly dataDir: string;
  /** The port; 0, the default, means any free port. */
  readonly port?: number | undefined;
  /** The token that may do everything. Default: a random one. */
  readonly rootToken?: string | undefined;
  readonly profile?: Profile | undefined;
  /** The clock of the service, for example for expiry, default times and the rate limit. Default: this machine's clock. */
  readonly now?: (() => Date) | undefined;
  /** The rate limit. Default: a million requests a minute in the extended profile, none in the documented one. */
  readonly rateLimit?: RateLimitOptions | undefined;
  /** Files with events for datasets that the folder does not have yet. */
  readonly datasets?: readonly DatasetFile[] | undefined;
  /**
   * Makes the events about tokens that are written to the dataset `axiom-audit`. Only their field `action` is documented.
   * Default: none are written.
   */
  readonly auditLog?: ((entry: AuditEntry) => JsonObject) | undefined;
  /** Loads sample events into the dataset `web`, unless the folder has it. */
  readonly sample?: boolean | undefined;
  /** The field of the files in `datasets` that contains an event's time. Default: `_time`. */
  readonly timeField?: string | undefined;
  /** How long a query or an ingest may keep the engine busy. Default: 30 s. */
  readonly queryTimeoutMs?: number | undefined;
  /** How long a stopped query or ingest may take to end before the engine restarts. Default: 500 ms. */
  readonly queryGraceMs?: number | undefined;
  /** How much memory the engine's process may use. Default: 2 GiB. */
  readonly queryMemoryBytes?: number | undefined;
  /** Called with failures of which a caller sees only the status 500. */
  readonly onFailure?: ((failure: Error) => void) | undefined;
}

export interface Emulator extends AsyncDisposable, Backdoors {
  /** Such as `http://127.0.0.1:41234`. */
  readonly url: string;
  readonly rootToken: string;
  /** The profile that the emulator serves. */
  readonly profile: Profile;
  /** The last 100,000 requests to the interface, in the order of arrival, without the requests of the page at `/`. */
  readonly calls: readonly LoggedCall[];
  /** The number of events that each dataset got from its files at startup. A dataset that was on disk is not loaded again. */
  readonly loaded: ReadonlyMap<string, number>;
  /** Adds events to a dataset. */
  ingest(dataset: string, events: readonly JsonObject[]): Promise<void>;
  /** Makes the next matching requests fail. */
  inject(fault: Fault): void;
  /** Lets the requests under way finish, for 5 s at most, and releases the folder. */
  close(): Promise<void>;
  /** Cuts every connection at once and releases the folder, like a crash. To restart, start on the same port. */
  crash(): Promise<void>;
}

/** The settings of a client of this emulator, as environment variables. */
export const environmentOf = ({ url, rootToken, profile }: Pick<Emulator, "url" | "rootToken" | "profile">) => ({
  EVENT_DATASETS_BASE_URL: url,
  EVENT_DATASETS_ACCESS_TOKEN: rootToken,
  EVENT_DATASETS_PROFILE: profile,
});

/**
 * A service with the documented or the extended interface, on loopback: tokens, annotations and event datasets, kept on disk.
 * @throws Error if the folder cannot be used or is in use, if a file cannot be loaded, or if the port is taken
 */
export async function startEmulator(options: EmulatorOptions): Promise<Emulator> {
  const { dataDir, port = 0, rootToken = `xaat-${randomUUID()}`, profile = "documented" } = options;
  const { now = () => new Date(), onFailure = () => undefined, auditLog } = options;
  if (!/^[\x21-\x7e]+$/.test(rootToken)) throw new Error("the root token must be printable ASCII without spaces");

  const store = Store.open(dataDir);
  const datasets = new Engine(path.join(dataDir, "datasets"), {
    timeoutMs: options.queryTimeoutMs ?? 30_000,
    graceMs: options.queryGraceMs ?? 500,
    memoryBytes: options.queryMemoryBytes ?? 2 * 1024 ** 3,
  });
  const closeStores = () => datasets.close().finally(() => store.close());
  const faults = new FaultPlan();
  // The documented interface has no rate limit. A test may still set one.
  const limit = options.rateLimit ?? (profile === "extended" ? { requests: 1_000_000 } : undefined);
  const rootHash = hashOf(rootToken);
  const isSecret = (hash: Buffer) => hash.equals(rootHash) || store.findToken(hash.toString("hex")) !== undefined;
  const recent = new RecentRequests(isSecret, now);
  const service: Service = {
    store,
    datasets,
    profile,
    now,
    audit: auditLog && ((entry) => ingest(service, auditDataset, [auditLog(entry)])),
  };
  const server = new EmulatorServer({
    service,
    routes: [...routesOf(routes, profile), ...pageRoutes(recent)],
    rootHash,
    faults,
    recent,
    rateLimit: limit && new RateLimit(limit, now),
    traces: profile === "extended",
    onFailure,
  });
  const [loaded, url] = await loadFiles(service, options)
    .then(async (events) => [events, await server.listen(port)] as const)
    .catch(async (failure) => {
      await closeStores();
      throw failure;
    });

  let closed: Promise<void> | undefined;
  const close = (graceMs?: number) => {
    closed ??= server.close(graceMs).then(closeStores);
    return closed;
  };
  return {
    url,
    rootToken,
    profile,
    calls: server.calls,
    ...backdoors(service),
    loaded,
    ingest: (dataset, events) => ingest(service, dataset, events),
    inject: (fault) => faults.add(fault),
    close: () => close(),
    crash: () => close(0),
    [Symbol.asyncDispose]: () => close(),
  };
}

async function ingest(service: Service, dataset: string, rows: readonly JsonObject[]): Promise<void> {
  const input = { dataset, events: { kind: "rows", rows }, write: randomUUID(), now: service.now() } as const;
  const { failures } = await service.datasets.run("ingest", input, { unlimited: true });
  await noteDatasets(service);
  if (failures[0]) throw new Error(failures[0].error);
}

/**
 * Loads files into datasets that do not exist yet. Existing datasets stay unchanged: otherwise every start would add the same events
 * again.
 * @returns the number of events for each loaded dataset
 * @throws Error that names the dataset and the file
 */
async function loadFiles(
  service: Service,
  { datasets = [], sample = false, timeField }: EmulatorOptions,
): Promise<Map<string, number>> {
  const { datasets: engine, now } = service;
  const loaded = new Map<string, number>();
  const known = datasets.length === 0 && !sample ? [] : await engine.listNames();
  for (const [name, files] of Map.groupBy(datasets, (file) => file.name)) {
    if (known.includes(name)) continue;
    try {
      // All files of a dataset at once: the next start would take a half-loaded dataset for a complete one.
      const input = { dataset: name, files: files.map(({ file }) => file), timeField, now: now() };
      loaded.set(name, (await engine.run("load", input, { unlimited: true })).rows);
    } catch (failure) {
      throw new Error(`dataset ${name}: ${(failure as Error).message}`);
    }
  }
  if (loaded.size > 0) await noteDatasets(service);
  if (sample && !known.includes("web")) {
    const rows = sampleEvents(now());
    await ingest(service, "web", rows);
    loaded.set("web", (loaded.get("web") ?? 0) + rows.length);
  }
  return loaded;
}
