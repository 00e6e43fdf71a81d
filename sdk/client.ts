import { debugLog } from "./debug";
import { hasOperation, type OperationName, type Profile } from "./operations";
import { Annotations } from "./resources/annotations";
import { Queries } from "./resources/queries";
import { Tokens } from "./resources/tokens";
import { fromEnvironment, requireSettings, type SettingKey, type Settings } from "./settings";
import { Transport, type TransportOptions } from "./transport";

/** How to reach the service. */
export interface EventDatasetsOptions extends TransportOptions {
  /** Address of the service; `https:`, or `http:` for loopback. There is no default. */
  readonly baseUrl: string;
  /** An access token that the service issued. A secret: no message and no inspected object shows it. */
  readonly accessToken: string;
  /**
   * What the client may ask of the service: what the documented interface names, or what the public service offers beyond.
   * @default "documented"
   */
  readonly profile?: Profile | undefined;
  /**
   * Name of the query parameter for the format of a query's answer. The documented interface has the parameter but does
   * not show its name; the profile `extended` knows it and ignores this.
   */
  readonly formatParameter?: string | undefined;
  /** Your own label of the account, to tell it from others at the same address. It is not sent. */
  readonly account?: string | undefined;
  /** The organisation that a personal token is used for (header `X-Axiom-Org-Id`). Profile `extended` only. */
  readonly orgId?: string | undefined;
  /** Where the access token came from, for the message when the service refuses it. */
  readonly credentialFrom?: string | undefined;
}

/** The settings that a client has no use for by itself, or that it takes in another form. */
type OtherSetting = "requireExpiry" | "callDeadline" | "listDeadline" | "queryDeadline";

type OptionKey = Exclude<SettingKey, OtherSetting>;

/**
 * A typed client of the service. One serves any number of calls at once; close it when done.
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
  /** `/v1/datasets` */
  readonly queries: Queries;
  /** What this client may ask of the service. */
  readonly profile: Profile;
  /** Where the requests go: canonical, without a trailing slash. */
  readonly baseUrl: string;
  /** The user's own label of the account, if there is one. */
  readonly account: string | undefined;
  readonly #transport: Transport;

  /** @throws Error that names every option that is missing or unusable */
  constructor(options: EventDatasetsOptions) {
    const { baseUrl, accessToken, profile, formatParameter, account, orgId, credentialFrom, ...transport } = options;
    const own: Record<OptionKey, string | undefined> = {
      baseUrl,
      accessToken,
      profile,
      formatParameter,
      account,
      orgId,
    };
    const get = (key: SettingKey) => (Object.hasOwn(own, key) ? own[key as OptionKey] : undefined);
    const settings = requireSettings([{ describe: (key) => `option ${key} of EventDatasets`, get }]);
    const complete = { ...settings, credentialFrom: credentialFrom ?? settings.credentialFrom };
    this.#transport = new Transport(complete, { debug: debugLog(), ...transport });
    this.tokens = new Tokens(this.#transport);
    this.annotations = new Annotations(this.#transport);
    this.queries = new Queries(this.#transport);
    this.profile = settings.profile;
    this.baseUrl = settings.baseUrl;
    this.account = settings.account;
  }

  /**
   * A client from settings that were resolved before.
   * @param options what the settings do not hold; deadlines given here win
   */
  static fromSettings(settings: Settings, options: TransportOptions = {}): EventDatasets {
    const { requireExpiry: _, callDeadline, listDeadline, queryDeadline, ...connection } = settings;
    const deadlines = { call: callDeadline, list: listDeadline, query: queryDeadline, ...options.deadlines };
    return new EventDatasets({ ...connection, ...options, deadlines });
  }

  /**
   * A client from the environment: `EVENT_DATASETS_BASE_URL`, `EVENT_DATASETS_ACCESS_TOKEN`, `EVENT_DATASETS_PROFILE` and
   * the others of `environmentNames`.
   * @throws Error that names every variable that is missing or unusable
   */
  static fromEnvironment(options: TransportOptions = {}): EventDatasets {
    return EventDatasets.fromSettings(requireSettings([fromEnvironment()]), options);
  }

  /** Whether this client's profile has an operation. */
  can(operation: OperationName): boolean {
    return hasOperation(this.profile, operation);
  }

  /** Closes idle connections, after the calls under way. */
  close(): Promise<void> {
    return this.#transport.close();
  }

  /** The same as `close`, for `await using`. */
  [Symbol.asyncDispose](): Promise<void> {
    return this.close();
  }
}
