import { makePrintable } from "../values/printable";
import type { ServiceClock } from "./clock";
import { makeDebugLog } from "./debug";
import { hasOperation, type OperationName } from "./operations";
import type { Profile } from "./profiles";
import { Annotations } from "./resources/annotations";
import { Datasets } from "./resources/datasets";
import { Queries } from "./resources/queries";
import { Tokens } from "./resources/tokens";
import {
  fromEnvironment,
  requireSettings,
  resolveSettings,
  type SettingKey,
  type Settings,
  settingKeys,
  type WrittenSettings,
} from "./settings";
import { Transport } from "./transport";
import { completeOptions, findProblems, type TransportOptions } from "./transportOptions";

export type { AnnotationRecord, AnnotationSpec } from "./resources/annotationFields";
export type { Annotations } from "./resources/annotations";
export type { DatasetChanges, DatasetRecord, DatasetSpec } from "./resources/datasetFields";
export type { Datasets } from "./resources/datasets";
export type { AplOptions, PagedQuery, PageOptions, Queries, QueryCallOptions } from "./resources/queries";
export type {
  Action,
  DatasetCapabilities,
  MintedToken,
  OrgCapabilities,
  OrgCapabilityKey,
  Token,
  TokenRegeneration,
  TokenSpec,
} from "./resources/tokenFields";
export type { Tokens } from "./resources/tokens";

/** How to reach the service: settings and callbacks. No message and no inspected object shows the access token. */
export interface EventDatasetsOptions extends TransportOptions, Omit<WrittenSettings, "requireExpiry"> {}

/** The same options, with settings that `resolveSettings` has read. */
export interface ResolvedOptions extends TransportOptions {
  readonly settings: Settings;
}

/**
 * A typed client of the service. One client serves any number of calls at the same time. Close it after use.
 *
 * @example
 * ```ts
 * await using client = new EventDatasets({ baseUrl: "https://api.example.com", accessToken });
 * const tokens = await client.tokens.list();
 * ```
 */
export class EventDatasets implements AsyncDisposable {
  /** `/v2/tokens` */
  readonly tokens: Tokens;
  /** `/v2/annotations` */
  readonly annotations: Annotations;
  /** `/v2/datasets` */
  readonly datasets: Datasets;
  /** `/v1/datasets`, or `/v1/query` of an edge deployment */
  readonly queries: Queries;
  /** The operations and fields that this client may use. */
  readonly profile: Profile;
  /** Where the requests go: canonical, without a trailing slash. */
  readonly baseUrl: string;
  /** The service's clock, according to its responses. */
  readonly clock: Pick<ServiceClock, "offset" | "now" | "readings">;
  readonly #transport: Transport;
  /** Has its own connections and rate limit. */
  readonly #edge: Transport | undefined;

  /** @throws Error that names every missing or invalid option */
  constructor(options: EventDatasetsOptions | ResolvedOptions) {
    const settings = readSettings(options);
    const ready = completeOptions({ ...options, debug: options.debug ?? makeDebugLog() });
    this.#transport = new Transport(settings, ready);
    this.#edge = settings.edgeUrl ? new Transport({ ...settings, baseUrl: settings.edgeUrl }, ready) : undefined;
    this.clock = this.#transport.clock;
    this.tokens = new Tokens(this.#transport);
    this.annotations = new Annotations(this.#transport);
    this.datasets = new Datasets(this.#transport);
    this.queries = new Queries(this.#edge ?? this.#transport, settings);
    this.profile = settings.profile;
    this.baseUrl = settings.baseUrl;
  }

  /**
   * Creates a client from the environment: `EVENT_DATASETS_BASE_URL`, `EVENT_DATASETS_ACCESS_TOKEN`, `EVENT_DATASETS_PROFILE`
   * and the others in `environmentNames`.
   * @throws Error that names every missing or invalid variable
   */
  static fromEnvironment(options: TransportOptions = {}): EventDatasets {
    return new EventDatasets({ ...options, settings: requireSettings([fromEnvironment()]) });
  }

  /** Whether this client's profile has an operation. */
  can(operation: OperationName): boolean {
    return hasOperation(this.profile, operation);
  }

  /** Refuses further calls, and closes the connections once the calls under way have finished. */
  async close(): Promise<void> {
    await Promise.all([this.#transport.close(), this.#edge?.close()]);
  }

  /** The same as `close`, for `await using`. */
  [Symbol.asyncDispose](): Promise<void> {
    return this.close();
  }
}

function readSettings(options: EventDatasetsOptions | ResolvedOptions): Settings {
  const describe = (name: string) => `option ${name} of EventDatasets`;
  const isResolved = "settings" in options;
  const result = isResolved
    ? options
    : resolveSettings([{ describe, get: (key) => (options as Partial<Record<SettingKey, string>>)[key] }]);
  const reasons = "settings" in result ? [] : result.problems.map(({ reason }) => reason);
  const names = isResolved ? ["settings"] : settingKeys.filter((key) => key !== "requireExpiry");
  reasons.push(...findProblems(options, names, describe));
  if ("settings" in result && reasons.length === 0) return result.settings;
  throw makePrintable(new Error(reasons.join("; ")));
}
