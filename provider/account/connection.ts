import { setTimeout as sleep } from "node:timers/promises";
import type { Connect } from "../../framework/host";
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
import { makeDebugLog } from "../../sdk/debug";
import { RetryPolicy } from "../../sdk/retry";
import { defined } from "../../values/defined";
import { withDiscretion } from "../../values/discretion";
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
  /** For a diff: the object belongs to another account, by the labels of both, so it is replaced. */
  readonly isOtherAccount?: boolean;
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

/** Connects to accounts, with one service for each set of settings in a process. */
export function connectAccounts(): Connect<Planning, Service> {
  const services = new Map<string, Service>();
  return (configuration, tell) => {
    const providerName = configuration.get(explicitProviderKey);
    const get = (key: string) => configuration.get(`${configNamespace}:${key}`);
    let found: SettingsResult | undefined;
    const resolve = () => (found ??= resolveSettings(settingsSources(providerName, get)));
    const problems = () => {
      const resolved = resolve();
      return "problems" in resolved ? resolved.problems.map(({ reason }) => reason) : [];
    };
    const service = () => {
      const resolved = resolve();
      if ("problems" in resolved) throw new Error(problems().join("; "));
      const here = describePresent(resolved.settings, providerName);
      const key = JSON.stringify([resolved.settings, here]);
      const known = services.get(key) ?? openService(resolved.settings, here, tell);
      services.set(key, known);
      return known;
    };
    return {
      problems,
      service,
      /** With a setting missing it is the smallest profile; `problems` reports the setting. */
      planning() {
        const resolved = resolve();
        const settings = "settings" in resolved ? resolved.settings : undefined;
        const { profile, requireExpiry } = settings ?? { profile: "documented", requireExpiry: false };
        const can = (operation: OperationName) => hasOperation(profile, operation);
        return { profile, requireExpiry, can, here: settings && describePresent(settings, providerName) };
      },
      run: (hook, isSecret) => service().account.run(isSecret ? () => withDiscretion(hook) : hook),
    };
  };
}

function openService(settings: Settings, here: PresentAccount, tell: framework.Tell): Service {
  const inform = (line: string) => void tell.inform(line);
  // Not to standard error: the engine hides what a plugin prints.
  const client = EventDatasets.fromSettings(settings, { inform, debug: makeDebugLog(process.env, inform) });
  return { client, account: new Account(here, sleep), lists: new TokenLists(client), remakes: new RetryPolicy() };
}

const describePresent = (
  { baseUrl, accessToken, account, orgId }: Settings,
  providerName: string | undefined,
): PresentAccount => ({
  baseUrl,
  credentialHash: hashCredential(accessToken, orgId),
  ...defined({ account, providerName, fingerprint: orgId === undefined ? undefined : hashCredential(accessToken) }),
});
