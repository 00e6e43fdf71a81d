import { debugLog } from "./debug";
import { hasOperation, type OperationName, type Profile } from "./operations";
import { Annotations } from "./resources/annotations";
import { Queries } from "./resources/queries";
import { Tokens } from "./resources/tokens";
import { fromEnvironment, requireSettings, type SettingKey } from "./settings";
import { Transport, type TransportOptions } from "./transport";

/** How to reach the service. */
export interface EventDatasetsOptions extends TransportOptions {
  /** Address of the service; `https:`, or `http:` for loopback. There is no default. */
  readonly baseUrl: string;
  /** An access token that the service issued. A secret: no message and no inspected object shows it. */
  readonly accessToken: string;
  /** Default `documented`. */
  readonly profile?: Profile;
  /**
   * Name of the query parameter for the format of a query's answer. The documented interface has the parameter but does
   * not show its name; the profile `extended` knows it and ignores this.
   */
  readonly formatParameter?: string | undefined;
  /** Where the access token came from, for the message when the service refuses it. */
  readonly credentialFrom?: string;
}

/** A typed client of the service. One serves any number of calls at once; close it when done. */
export class EventDatasets implements AsyncDisposable {
  readonly tokens: Tokens;
  readonly annotations: Annotations;
  readonly queries: Queries;
  readonly profile: Profile;
  /** Where the requests go, without a trailing slash. */
  readonly baseUrl: string;
  readonly #transport: Transport;

  /** @throws Error that names every option that is missing or unusable */
  constructor(options: EventDatasetsOptions) {
    const { baseUrl, accessToken, profile, formatParameter, credentialFrom, ...transport } = options;
    const given: Partial<Record<SettingKey, string | undefined>> = { baseUrl, accessToken, profile, formatParameter };
    const settings = requireSettings([
      { describe: (key) => `option ${key} of EventDatasets`, get: (key) => given[key] },
    ]);
    const named = credentialFrom === undefined ? settings : { ...settings, credentialFrom };
    this.#transport = new Transport(named, { debug: debugLog(), ...transport });
    this.tokens = new Tokens(this.#transport);
    this.annotations = new Annotations(this.#transport);
    this.queries = new Queries(this.#transport, settings);
    this.profile = settings.profile;
    this.baseUrl = settings.baseUrl;
  }

  /**
   * A client from `EVENT_DATASETS_BASE_URL`, `EVENT_DATASETS_ACCESS_TOKEN`, `EVENT_DATASETS_PROFILE` and
   * `EVENT_DATASETS_FORMAT_PARAMETER`.
   * @throws Error that names every variable that is missing or unusable
   */
  static fromEnvironment(options: TransportOptions = {}): EventDatasets {
    const { requireExpiry: _, ...settings } = requireSettings([fromEnvironment()]);
    return new EventDatasets({ ...settings, ...options });
  }

  /** Whether this client's profile has an operation. */
  can(operation: OperationName): boolean {
    return hasOperation(this.profile, operation);
  }

  /** Closes idle connections, after the calls under way. */
  close(): Promise<void> {
    return this.#transport.close();
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.close();
  }
}
