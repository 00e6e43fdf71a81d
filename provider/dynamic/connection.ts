import { setTimeout as sleep } from "node:timers/promises";
import type { dynamic } from "@pulumi/pulumi";
import { EventDatasets, hasOperation, resolveSettings, type SettingsResult } from "../../sdk";
import type { Plan, Session } from "../lifecycle/contract";
import { inform, warn } from "./engineLog";
import { settingsSources } from "./settings";
import { configNamespace, explicitProviderKey } from "./strings";

/** What a provider process was configured with, and what it makes of that when a hook needs it. */
export class Connection {
  #config: Pick<dynamic.Config, "get"> = { get: () => undefined };
  #session: Session | undefined;

  /** Only stores: the host caches a provider before it is configured, so nothing here may fail or wait. */
  configure(config: Pick<dynamic.Config, "get">): void {
    this.#config = config;
  }

  settings(): SettingsResult {
    const get = (key: string) => this.#config.get(`${configNamespace}:${key}`);
    return resolveSettings(settingsSources(this.#config.get(explicitProviderKey), get));
  }

  /**
   * What hooks that call the service work with; connects at the first one.
   * @throws Error that names every missing setting
   */
  session(): Session {
    if (this.#session) return this.#session;
    const result = this.settings();
    if ("problems" in result) throw new Error(result.problems.map(({ reason }) => reason).join("; "));
    const { requireExpiry: _, ...connection } = result.settings;
    const client = new EventDatasets(connection);
    this.#session = {
      client,
      warn,
      inform,
      now: () => new Date(),
      sleep: (ms) => sleep(ms),
      adopted: new Set(),
    };
    return this.#session;
  }

  /** What hooks that plan know. With settings missing, which `check` reports by itself, it is the smallest profile. */
  plan(updating: boolean): Plan {
    const result = this.settings();
    const { profile, requireExpiry } =
      "settings" in result ? result.settings : ({ profile: "documented", requireExpiry: false } as const);
    return {
      now: () => new Date(),
      profile,
      can: (operation) => hasOperation(profile, operation),
      requireExpiry,
      updating,
    };
  }
}
