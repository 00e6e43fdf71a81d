import { setTimeout as sleep } from "node:timers/promises";
import type { Configuration, Connection } from "../../framework/host";
import type { Hints } from "../../framework/identity";
import type * as framework from "../../framework/lifecycle";
import {
  EventDatasets,
  hasOperation,
  type OperationName,
  type Profile,
  resolveSettings,
  type Settings,
  type SettingsResult,
} from "../../sdk";
import { withoutWords } from "../../sdk/failures";
import { RetryPolicy } from "../../sdk/retry";
import { defined } from "../../values/defined";
import { TokenLists } from "../apiToken/lists";
import { configNamespace, explicitProviderKey, settingsSources } from "../strings";
import { hashCredential, type PresentAccount } from "./account";
import { Account } from "./presence";

/** The settings, for hooks that plan. */
export interface Planning {
  readonly profile: Profile;
  readonly can: (operation: OperationName) => boolean;
  /** Whether a token without an expiry is an error. */
  readonly requireExpiry: boolean;
  /** How this process reaches the service; undefined while a setting is missing. */
  readonly here: PresentAccount | undefined;
}

export interface Service {
  readonly client: EventDatasets;
  readonly account: Account;
  readonly lists: TokenLists;
  /** The budget of one update for lost tokens that are created again. */
  readonly remakes: RetryPolicy;
}

export type Plan = framework.Plan & Planning;
export type Session = framework.Session & Service;
export type Lifecycle<Inputs extends Hints, State extends Inputs> = framework.Lifecycle<
  Inputs,
  State,
  Planning,
  Service
>;

/** One service for each set of settings in a process. */
export class Connections {
  readonly #services = new Map<string, Service>();

  connect = (configuration: Configuration, tell: framework.Tell): Connection<Planning, Service> =>
    new AccountConnection(configuration, tell, this);

  open(settings: Settings, here: PresentAccount, tell: framework.Tell): Service {
    const key = JSON.stringify([settings, here]);
    const known = this.#services.get(key) ?? openService(settings, here, tell);
    this.#services.set(key, known);
    return known;
  }
}

function openService(settings: Settings, here: PresentAccount, tell: framework.Tell): Service {
  const client = EventDatasets.fromSettings(settings, { inform: (line: string) => void tell.inform(line) });
  return { client, account: new Account(here, sleep), lists: new TokenLists(client), remakes: new RetryPolicy() };
}

class AccountConnection implements Connection<Planning, Service> {
  readonly #configuration: Configuration;
  readonly #tell: framework.Tell;
  readonly #connections: Connections;
  // Resolved once: the engine checks every resource of a stack.
  #settings: SettingsResult | undefined;

  constructor(configuration: Configuration, tell: framework.Tell, connections: Connections) {
    this.#configuration = configuration;
    this.#tell = tell;
    this.#connections = connections;
  }

  problems(): readonly string[] {
    const found = this.#resolve();
    return "problems" in found ? found.problems.map(({ reason }) => reason) : [];
  }

  /** With a setting missing it is the smallest profile; `problems` reports the setting. */
  planning(): Planning {
    const found = this.#resolve();
    const { profile, requireExpiry } =
      "settings" in found ? found.settings : ({ profile: "documented", requireExpiry: false } as const);
    return {
      profile,
      requireExpiry,
      can: (operation) => hasOperation(profile, operation),
      here: "settings" in found ? this.#describe(found.settings) : undefined,
    };
  }

  service(): Service {
    const found = this.#resolve();
    if ("problems" in found) throw new Error(this.problems().join("; "));
    return this.#connections.open(found.settings, this.#describe(found.settings), this.#tell);
  }

  run<T>(hook: () => Promise<T>, isSecret: boolean): Promise<T> {
    return this.service().account.run(isSecret ? () => withoutWords(hook) : hook);
  }

  #resolve(): SettingsResult {
    const get = (key: string) => this.#configuration.get(`${configNamespace}:${key}`);
    this.#settings ??= resolveSettings(settingsSources(this.#configuration.get(explicitProviderKey), get));
    return this.#settings;
  }

  #describe({ baseUrl, accessToken, account, orgId }: Settings): PresentAccount {
    return {
      baseUrl,
      credentialHash: hashCredential(accessToken, orgId),
      ...defined({
        account,
        providerName: this.#configuration.get(explicitProviderKey),
        fingerprint: orgId === undefined ? undefined : hashCredential(accessToken),
      }),
    };
  }
}
