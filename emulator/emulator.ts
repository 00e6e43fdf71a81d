import { randomUUID } from "node:crypto";
import { type Backdoors, backdoors, testRoutes } from "./backdoor";
import { type Fault, FaultPlan } from "./faults";
import { hashOf } from "./hash";
import type { JsonObject } from "./json";
import { type DatasetFile, LazyDatasets } from "./lazyDatasets";
import { pageRoutes } from "./pageRoutes";
import type { Profile } from "./profiles";
import { RateLimit, type RateLimitOptions } from "./rateLimit";
import { RecentRequests } from "./recentRequests";
import type { LoggedCall } from "./reply";
import { routes } from "./routes";
import { routesOf } from "./routing";
import { EmulatorServer } from "./server";
import { Store } from "./store";

export interface EmulatorOptions {
  /** The folder of the data, created if missing. Only one emulator at a time can use it. */
  readonly dataDir: string;
  /** 0, the default: any free port. */
  readonly port?: number | undefined;
  /** The token that may do everything. Random if not given. */
  readonly rootToken?: string | undefined;
  readonly profile?: Profile | undefined;
  /** The clock for expiry, for the default time of annotations and for the rate limit. */
  readonly now?: (() => Date) | undefined;
  /** In the extended profile a million requests a minute if not given; in the documented one none. */
  readonly rateLimit?: RateLimitOptions | undefined;
  /** Files whose events go into datasets that the folder does not have yet. */
  readonly datasets?: readonly DatasetFile[] | undefined;
  /** The field of those files that holds an event's time; `_time` if not given. */
  readonly timeField?: string | undefined;
  /** How long a query or an ingest may keep the engine busy; 30 s if not given. */
  readonly queryTimeoutMs?: number | undefined;
  /** How long a stopped query or ingest may take to end before the engine starts again; 500 ms if not given. */
  readonly queryGraceMs?: number | undefined;
  /** How much memory the process of the engine may hold; 2 GiB if not given. */
  readonly queryMemoryBytes?: number | undefined;
  /** Serves `/_test/…` to the root token: changes behind the users' back, and faults. */
  readonly faults?: boolean | undefined;
  /** Called with failures that a caller sees only as status 500. */
  readonly onFailure?: ((failure: Error) => void) | undefined;
}

export interface Emulator extends AsyncDisposable, Backdoors {
  /** Such as `http://127.0.0.1:41234`. */
  readonly url: string;
  readonly rootToken: string;
  readonly profile: Profile;
  /** Every request to the interface, in the order of arrival. Requests of the page at `/` are not included. */
  readonly calls: readonly LoggedCall[];
  /** How many events each dataset got from its files at the start. A dataset that was on disk is not loaded again. */
  readonly loaded: ReadonlyMap<string, number>;
  /** Adds events to a dataset. */
  ingest(dataset: string, events: readonly JsonObject[]): Promise<void>;
  /** Makes the next matching requests fail. */
  inject(fault: Fault): void;
  /** Replaces the rate limit and resets its count. Without an argument the profile's own limit applies. */
  limitRate(limit?: RateLimitOptions): void;
  /** Lets the requests under way finish, for 5 s at most, and releases the folder. */
  close(): Promise<void>;
  /** Cuts every connection at once and releases the folder, as a crash does. To restart, start on the same port. */
  crash(): Promise<void>;
}

/** The settings of a client of this emulator, as environment variables. */
export const environmentOf = ({ url, rootToken, profile }: Pick<Emulator, "url" | "rootToken" | "profile">) => ({
  EVENT_DATASETS_BASE_URL: url,
  EVENT_DATASETS_ACCESS_TOKEN: rootToken,
  EVENT_DATASETS_PROFILE: profile,
});

export const defaultQueryTimeoutMs = 30_000;

/** The documented interface has no rate limit and no headers for one. A test may still set a limit. */
function rateLimitOf(options: RateLimitOptions | undefined, profile: Profile, now: () => Date): RateLimit | undefined {
  const headers = profile === "extended";
  if (options) return new RateLimit({ headers, ...options }, now);
  return profile === "extended" ? new RateLimit({ requests: 1_000_000 }, now) : undefined;
}

/**
 * The service of the documented interface, on loopback: tokens, annotations and event datasets, kept on disk.
 * @throws Error if the folder cannot be used or is in use, if a file cannot be loaded, or if the port is taken
 */
export async function startEmulator(options: EmulatorOptions): Promise<Emulator> {
  const { dataDir, port = 0, rootToken = `xaat-${randomUUID()}`, profile = "documented" } = options;
  const { now = () => new Date(), onFailure = () => undefined } = options;
  if (!/^[\x21-\x7e]+$/.test(rootToken)) throw new Error("the root token must be printable ASCII without spaces");

  const store = await Store.open(dataDir);
  const datasets = new LazyDatasets(dataDir, now, {
    timeoutMs: options.queryTimeoutMs ?? defaultQueryTimeoutMs,
    graceMs: options.queryGraceMs ?? 500,
    memoryBytes: options.queryMemoryBytes ?? 2 * 1024 ** 3,
  });
  const closeStores = () => datasets.close().finally(() => store.close());
  const faults = new FaultPlan();
  const inject = (fault: Fault) => faults.add(fault);
  let rateLimit = rateLimitOf(options.rateLimit, profile, now);
  const limitRate = (limit?: RateLimitOptions) => {
    rateLimit = rateLimitOf(limit, profile, now);
  };
  const rootHash = hashOf(rootToken);
  const isSecret = (hash: Buffer) => hash.equals(rootHash) || store.find("token", hash.toString("hex")) !== undefined;
  const recent = new RecentRequests(isSecret, now);
  const tests = options.faults ? testRoutes(inject, limitRate) : [];
  const { served, lacking } = routesOf(routes, profile);
  const server = new EmulatorServer({
    service: { store, datasets, profile, now },
    routes: { profile, served: [...served, ...pageRoutes(recent), ...tests], lacking },
    rootHash,
    faults,
    recent,
    rateLimit: () => rateLimit,
    traces: profile === "extended",
    onFailure,
  });
  const [loaded, url] = await datasets
    .load(options.datasets ?? [], options.timeField)
    .then(async (events) => [events, await server.listen(port)] as const)
    .catch(async (failure) => {
      await datasets.discard();
      await store.discard();
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
    ...backdoors(store),
    loaded,
    ingest: async (dataset, events) => {
      const input = { dataset, events: { kind: "rows", rows: events }, write: randomUUID(), now: now() } as const;
      const { failures } = await datasets.run("ingest", input, { unlimited: true });
      if (failures[0]) throw new Error(failures[0].error);
    },
    inject,
    limitRate,
    close: () => close(),
    crash: () => close(0),
    [Symbol.asyncDispose]: () => close(),
  };
}
