import { defined } from "../values/defined";
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

/** The settings that are options of a client by the same name. */
const settingOptions = ["baseUrl", "accessToken", "profile", "edgeUrl", "formatParameter", "orgId"] as const;

/** How to reach the service: settings and options. No message and no inspected object shows the access token. */
export interface EventDatasetsOptions extends TransportOptions, Pick<WrittenSettings, (typeof settingOptions)[number]> {
  /** Where the access token came from, for the message when the service refuses it. */
  readonly credentialFrom?: string | undefined;
  /** How messages name the place of a setting, such as `argument profile of Provider "staging"`. */
  readonly nameOf?: ((key: SettingKey) => string) | undefined;
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
  /** `/v1/datasets` */
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
  constructor(options: EventDatasetsOptions) {
    const { credentialFrom, nameOf, ...others } = options;
    const { baseUrl, accessToken, profile, edgeUrl, formatParameter, orgId, ...transport } = others;
    const own: Partial<Record<SettingKey, string>> = defined({
      baseUrl,
      accessToken,
      profile,
      edgeUrl,
      formatParameter,
      orgId,
    });
    const get = (key: SettingKey) => own[key];
    const result = resolveSettings([{ describe: (key) => `option ${key} of EventDatasets`, get }]);
    const problems = "problems" in result ? result.problems.map(({ reason }) => reason) : [];
    problems.push(...findProblems(transport, [...settingOptions, "credentialFrom", "nameOf"]));
    if (!("settings" in result) || problems.length > 0) throw makePrintable(new Error(problems.join("; ")));
    const { settings } = result;
    const complete = { ...settings, ...defined({ credentialFrom, nameOf }) };
    const ready = completeOptions({ ...transport, debug: transport.debug ?? makeDebugLog() });
    this.#transport = new Transport(complete, ready);
    this.#edge = settings.edgeUrl ? new Transport({ ...complete, baseUrl: settings.edgeUrl }, ready) : undefined;
    this.clock = this.#transport.clock;
    this.tokens = new Tokens(this.#transport);
    this.annotations = new Annotations(this.#transport);
    this.datasets = new Datasets(this.#transport);
    this.queries = new Queries(this.#edge ?? this.#transport, settings);
    this.profile = settings.profile;
    this.baseUrl = settings.baseUrl;
  }

  /**
   * Makes a client from resolved settings.
   * @param options options that are not settings; deadlines given here take precedence
   */
  static fromSettings(settings: Settings, options: TransportOptions = {}): EventDatasets {
    const { requireExpiry: _, callDeadline, listDeadline, queryDeadline, ...connection } = settings;
    const deadlines = {
      call: callDeadline,
      list: listDeadline,
      query: queryDeadline,
      ...defined(options.deadlines ?? {}),
    };
    return new EventDatasets({ ...connection, ...options, deadlines });
  }

  /**
   * Makes a client from the environment: `EVENT_DATASETS_BASE_URL`, `EVENT_DATASETS_ACCESS_TOKEN`,
   * `EVENT_DATASETS_PROFILE` and the others in `environmentNames`.
   * @throws Error that names every missing or invalid variable
   */
  static fromEnvironment(options: TransportOptions = {}): EventDatasets {
    return EventDatasets.fromSettings(requireSettings([fromEnvironment()]), options);
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
