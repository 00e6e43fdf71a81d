import type { Connect, HostedResource } from "../../../framework/host";
import type { Hints } from "../../../framework/identity";
import type * as framework from "../../../framework/lifecycle";
import { explicitKey } from "../../../framework/package";
import {
  type AnnotationRecord,
  type DatasetRecord,
  EventDatasets,
  hasOperation,
  howToExtend,
  type OperationName,
  type Profile,
  resolveSettings,
  type Settings,
} from "../../../sdk";
import { makeDebugLog } from "../../../sdk/debug";
import { fingerprintOf } from "../../../values/fingerprint";
import { settingsSources, thisPackage } from "../strings";
import { Account } from "./account";
import { Clocks } from "./clocks";
import { ObjectList } from "./objectList";
import { findRefusedFields } from "./refusedFields";

/** The settings, for hooks that plan. If a setting is missing or invalid, they are those of the smallest profile. */
export interface Planning {
  readonly profile: Profile;
  readonly can: (operation: OperationName) => boolean;
  /** Whether a token without an expiry is an error. */
  readonly requireExpiry: boolean;
  /** Tells the user how to get the profile `extended`. */
  readonly howToExtend: string;
  /** Identifies the access token; undefined if a setting is missing or invalid. */
  readonly fingerprint: string | undefined;
}

export interface Service {
  readonly client: EventDatasets;
  readonly account: Account;
  readonly clocks: Clocks;
  readonly annotations: ObjectList<AnnotationRecord>;
  readonly datasets: ObjectList<DatasetRecord>;
}

/** The part of a service that data functions use. */
export type WithClient = Pick<Service, "client">;

export type Plan = framework.Plan & Planning;
export type Session = framework.Session & Planning & Service;
export type Hosted = HostedResource<Planning, Service>;
export type Lifecycle<Inputs extends Hints, State extends Inputs, Planned = unknown> = framework.Lifecycle<
  Inputs,
  State,
  Planning,
  Service,
  Planned
>;

/**
 * Connects to accounts, with one service for each set of settings in a process.
 * @param open makes the client of an account
 */
export function connectAccounts(open = openClient): Connect<Planning, Service> {
  const services = new Map<string, Service>();
  return (configuration, tell) => {
    const get = (key: string) => configuration.get(`${thisPackage.namespace}:${key}`);
    const found = resolveSettings(settingsSources(configuration.get(explicitKey(thisPackage)), get));
    const settings = "settings" in found ? found.settings : undefined;
    const problems = "problems" in found ? found.problems.map(({ reason }) => reason) : [];
    const { profile, requireExpiry } = settings ?? { profile: "documented", requireExpiry: false };
    const can = (operation: OperationName) => hasOperation(profile, operation);
    const account = JSON.stringify(settings);
    return {
      problems,
      planning: {
        profile,
        requireExpiry,
        can,
        howToExtend: howToExtend(settings),
        fingerprint: settings && fingerprintOf(settings.accessToken),
      },
      service() {
        if (!settings) throw new Error(problems.join("; "));
        const known = services.get(account) ?? openService(settings, open(settings, tell));
        services.set(account, known);
        return known;
      },
      // In the documented profile, the preview of a new resource sends nothing.
      async doubt(session) {
        const { account, client } = session;
        if (!client.can("tokens.delete")) return undefined;
        await account.list.find(session);
        return account.list.problem;
      },
      refuse: ({ name, operations }, inputs, plan) => findRefusedFields(plan, name, operations?.create, inputs),
    };
  };
}

/** The connection of this process, which all its resources share. */
export const connect = connectAccounts();

function openClient(settings: Settings, tell: framework.Tell): EventDatasets {
  // Not to standard error: the engine hides what a plugin prints.
  const inform = (line: string) => void tell.inform(line);
  return new EventDatasets({ settings, inform, debug: makeDebugLog(process.env, inform) });
}

/** @param environment says which objects are gone where nothing else can */
export const openService = (settings: Settings, client: EventDatasets, environment = process.env): Service => ({
  client,
  account: new Account(client, settings, environment),
  clocks: new Clocks(client),
  annotations: new ObjectList("annotations", client.annotations),
  datasets: new ObjectList("datasets", client.datasets),
});
