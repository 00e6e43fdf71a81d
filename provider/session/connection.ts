import { setTimeout as sleep } from "node:timers/promises";
import { EventDatasets, hasOperation, resolveSettings, type Settings, type SettingsResult } from "../../sdk";
import { defined } from "../../sdk/values/defined";
import { configNamespace, explicitProviderKey } from "../dynamic/strings";
import { Account, hashCredential, type PresentAccount } from "../lifecycle/account";
import type { Adoptions, Plan, Session } from "../lifecycle/contract";
import { Ledger } from "../lifecycle/ledger";
import { shareAdoptions } from "./adoptions";
import { settingsSources } from "./settings";

/** Configuration as an adapter is handed it: stack config, or the arguments of an explicit provider. */
export interface Configuration {
  get(key: string): string | undefined;
}

/** How an adapter tells the user something. */
export type Tell = Pick<Session, "warn" | "inform">;

/**
 * Nothing can be done about a line that does not get through, and what it is about has happened: a create that failed for it
 * would lose the token that was made.
 */
export const withoutFailures = ({ warn, inform }: Tell): Tell => {
  const tellSafely = (tell: Tell["warn"]) => async (message: string) => {
    try {
      await tell(message);
    } catch {
      // The engine is gone, or takes no more lines.
    }
  };
  return { warn: tellSafely(warn), inform: tellSafely(inform) };
};

/** One for all kinds of objects of a process: what one hook learned holds for all of them. */
const ledger = new Ledger();
const accounts = new Map<string, Account>();

function accountOf(here: PresentAccount): Account {
  const key = JSON.stringify(here);
  const known = accounts.get(key);
  const account = known ?? new Account(here, sleep);
  accounts.set(key, account);
  return account;
}

/** What a provider process was configured with, and what it makes of that when a hook needs it. Knows no Pulumi. */
export class Connection {
  readonly #tell: Tell;
  readonly #adoptions: Adoptions;
  #configuration: Configuration = { get: () => undefined };
  // Each is made of the configuration once: the engine checks every resource of a stack.
  #settings: SettingsResult | undefined;
  #here: PresentAccount | undefined;
  #session: Session | undefined;

  /** @param update what tells the update from others that run on this machine; undefined: it has this process alone */
  constructor(tell: Tell, update?: string) {
    this.#tell = withoutFailures(tell);
    this.#adoptions = shareAdoptions(update);
  }

  /** Only stores: the host caches a provider before it is configured, so nothing here may fail or wait. */
  configure(configuration: Configuration): void {
    this.#configuration = configuration;
    this.#settings = this.#here = this.#session = undefined;
  }

  settings(): SettingsResult {
    const get = (key: string) => this.#configuration.get(`${configNamespace}:${key}`);
    this.#settings ??= resolveSettings(settingsSources(this.#configuration.get(explicitProviderKey), get));
    return this.#settings;
  }

  /**
   * What hooks that call the service work with; connects at the first one.
   * @throws Error that names every missing setting
   */
  session(): Session {
    if (this.#session) return this.#session;
    const result = this.settings();
    if ("problems" in result) throw new Error(result.problems.map(({ reason }) => reason).join("; "));
    const inform = (line: string) => void this.#tell.inform(line);
    const client = EventDatasets.fromSettings(result.settings, { inform });
    this.#session = {
      ...this.#tell,
      client,
      now: () => new Date(),
      elapsed: () => performance.now(),
      timeout: (ms) => AbortSignal.timeout(Math.ceil(ms)),
      sleep: (ms) => sleep(ms),
      account: accountOf(this.#describe(result.settings)),
      ledger,
      adoptions: this.#adoptions,
    };
    return this.#session;
  }

  /**
   * Runs a hook that calls the service.
   * @param tell for what concerns one resource, where the adapter knows which
   * @throws Error that names every missing setting, or what the hook throws
   */
  async run<T>(hook: (session: Session) => Promise<T>, tell: Tell = this.#tell): Promise<T> {
    const session = { ...this.session(), ...withoutFailures(tell) };
    return session.account.run(() => hook(session));
  }

  /** What hooks that plan know. With settings missing, which `check` reports by itself, it is the smallest profile. */
  plan(updating: boolean, seed?: Uint8Array): Plan {
    const result = this.settings();
    const { profile, requireExpiry } =
      "settings" in result ? result.settings : ({ profile: "documented", requireExpiry: false } as const);
    return {
      here: "settings" in result ? this.#describe(result.settings) : undefined,
      ledger,
      adoptions: this.#adoptions,
      now: () => new Date(),
      profile,
      can: (operation) => hasOperation(profile, operation),
      requireExpiry,
      updating,
      ...defined({ seed }),
    };
  }

  #describe({ baseUrl, accessToken, account, orgId }: Settings): PresentAccount {
    this.#here ??= {
      baseUrl,
      credentialHash: hashCredential(accessToken, orgId),
      ...defined({ account, providerName: this.#configuration.get(explicitProviderKey) }),
    };
    return this.#here;
  }
}
