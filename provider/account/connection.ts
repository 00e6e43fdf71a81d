import { pick } from "../../framework/compare";
import type { ResourceDefinition } from "../../framework/definition";
import type { Connect, HostedResource } from "../../framework/host";
import type { Hints } from "../../framework/identity";
import type * as framework from "../../framework/lifecycle";
import {
  EventDatasets,
  hasOperation,
  type OperationName,
  offers,
  type Profile,
  resolveSettings,
  type Settings,
  type SettingsResult,
} from "../../sdk";
import { makeDebugLog } from "../../sdk/debug";
import { operations, type SendingOperation } from "../../sdk/operations";
import { bodyFields } from "../../sdk/requests";
import { withDiscretion } from "../../values/discretion";
import { fingerprintOf } from "../../values/fingerprint";
import { configNamespace, explicitProviderKey, settingsSources } from "../strings";
import { Account } from "./account";

/** The settings, for hooks that plan. With a setting missing they are those of the smallest profile. */
export interface Planning {
  readonly profile: Profile;
  readonly can: (operation: OperationName) => boolean;
  /** Whether a token without an expiry is an error. */
  readonly requireExpiry: boolean;
  /** Identifies the access token; undefined while a setting is missing. */
  readonly fingerprint: string | undefined;
}

export interface Service {
  readonly client: EventDatasets;
  readonly account: Account;
}

export type Plan = framework.Plan & Planning;
export type Session = framework.Session & Service;
export type Hosted = HostedResource<Planning, Service>;
export type Lifecycle<Inputs extends Hints, State extends Inputs, Planned = unknown> = framework.Lifecycle<
  Inputs,
  State,
  Planning,
  Service,
  Planned
>;

/** Connects to accounts, with one service for each set of settings in a process. */
export function connectAccounts(): Connect<Planning, Service> {
  const services = new Map<string, Service>();
  return (configuration, tell) => {
    const get = (key: string) => configuration.get(`${configNamespace}:${key}`);
    let found: SettingsResult | undefined;
    const resolve = () => (found ??= resolveSettings(settingsSources(configuration.get(explicitProviderKey), get)));
    const problems = () => {
      const resolved = resolve();
      return "problems" in resolved ? resolved.problems.map(({ reason }) => reason) : [];
    };
    const service = () => {
      const resolved = resolve();
      if ("problems" in resolved) throw new Error(problems().join("; "));
      const key = JSON.stringify(resolved.settings);
      const known = services.get(key) ?? openService(resolved.settings, tell);
      services.set(key, known);
      return known;
    };
    const planning = (): Planning => {
      const resolved = resolve();
      const settings = "settings" in resolved ? resolved.settings : undefined;
      const { profile, requireExpiry } = settings ?? { profile: "documented", requireExpiry: false };
      const can = (operation: OperationName) => hasOperation(profile, operation);
      return { profile, requireExpiry, can, fingerprint: settings && fingerprintOf(settings.accessToken) };
    };
    return {
      problems,
      service,
      refuse: (definition, inputs) => refuseFields(definition, inputs, planning().profile),
      planning,
      run: (hook, isSecret) => (isSecret ? withDiscretion(hook) : hook()),
    };
  };
}

function openService(settings: Settings, tell: framework.Tell): Service {
  const inform = (line: string) => void tell.inform(line);
  // Not to standard error: the engine hides what a plugin prints.
  const client = EventDatasets.fromSettings(settings, { inform, debug: makeDebugLog(process.env, inform) });
  return { client, account: new Account(client, settings) };
}

/** Refuses at preview the inputs that the client would refuse: fields of a larger profile, and too long a request. */
function refuseFields(
  { operation }: ResourceDefinition,
  inputs: framework.Bag,
  profile: Profile,
): framework.CheckFailure[] {
  const name = operation as SendingOperation;
  const known: Readonly<Record<string, { readonly profile: Profile }>> = bodyFields[name];
  const refused = Object.entries(known).filter(
    ([field, facts]) => inputs[field] !== undefined && !offers(profile, facts),
  );
  const fields = pick(inputs, Object.keys(known));
  const lengthOf = (value: unknown) => Buffer.byteLength(JSON.stringify(value) ?? "");
  const [length, limit] = [lengthOf(fields), operations[name].maxRequest];
  // The longest field. The request can become longer by values that are not known yet.
  const [property = ""] = Object.keys(fields).sort((a, b) => lengthOf(fields[b]) - lengthOf(fields[a]));
  const tooLong = `is too long: the request would have ${length} bytes, and at most ${limit} are sent`;
  return [
    ...refused.map(([field, facts]) => ({ property: field, reason: `needs the profile ${facts.profile}` })),
    ...(length > limit ? [{ property, reason: tooLong }] : []),
  ];
}
