import { checkInputs, Hooks } from "../../framework/hooks";
import { Host } from "../../framework/host";
import type { Bag, Tell } from "../../framework/lifecycle";
import { scopeOf } from "../../framework/update";
import type { QueryGateInputs } from "../../provider/nouns/queryGate/definition";
import { hostedQueryGate } from "../../provider/nouns/queryGate/lifecycle";
import {
  connectAccounts,
  type Hosted,
  openService,
  type Plan,
  type Session,
} from "../../provider/shared/account/connection";
import { type EventDatasets, hasOperation, howToExtend, type Profile } from "../../sdk";
import { connect } from "./client";
import { type Behaviour, startService } from "./service";

/** A session that notes warnings and waits instead of showing and making them. */
export interface NotedSession extends Session {
  readonly warnings: string[];
  readonly progress: string[];
  readonly waits: number[];
  /** How long each thing was allowed to take that had a limit, in milliseconds. */
  readonly limits: number[];
  /** Lets time go by; waits do too. */
  pass(ms: number): void;
}

/** The moment that tests play at. */
export const testTime = new Date("2026-11-21T12:00:00Z");

export function sessionOf(
  client: EventDatasets,
  now = testTime,
  accessToken = "xaat-root",
  environment: NodeJS.ProcessEnv = {},
): NotedSession {
  const warnings: string[] = [];
  const progress: string[] = [];
  const waits: number[] = [];
  const limits: number[] = [];
  let elapsed = 0;
  const pass = (ms: number) => {
    elapsed += ms;
    for (const { at, limit } of open) if (elapsed >= at) limit.abort();
  };
  const open: { readonly at: number; readonly limit: AbortController }[] = [];
  const { baseUrl, profile } = client;
  const settings = { baseUrl, accessToken, profile, requireExpiry: false, credentialFrom: "the test" };
  return {
    warnings,
    progress,
    waits,
    limits,
    pass,
    warn: async (message) => void warnings.push(message),
    inform: async (message) => void progress.push(message),
    now: () => now,
    seesOptions: true,
    elapsed: () => elapsed,
    timeout(ms) {
      limits.push(ms);
      const limit = new AbortController();
      open.push({ at: elapsed + ms, limit });
      return limit.signal;
    },
    sleep: async (ms) => {
      waits.push(ms);
      pass(ms);
    },
    claim: () => true,
    declared: () => [],
    isEnding: () => false,
    ...openService(settings, client, environment),
  };
}

/** A session on a service that responds as listed. */
export async function beginScript(profile: Profile, ...behaviours: readonly Behaviour[]) {
  const service = await startService(...behaviours);
  const client = connect(service.url, { profile });
  return {
    service,
    client,
    session: sessionOf(client),
    async [Symbol.asyncDispose]() {
      await client.close();
      await service[Symbol.asyncDispose]();
    },
  };
}

/** For a planning hook during an update. */
export const planOf = (profile: Profile = "documented", more: Partial<Plan> = {}): Plan => ({
  now: () => testTime,
  seesOptions: true,
  profile,
  can: (operation) => hasOperation(profile, operation),
  requireExpiry: false,
  howToExtend: howToExtend(),
  fingerprint: undefined,
  claim: () => true,
  ...more,
});

/** The data for the tests' gates. */
export const gate: QueryGateInputs = {
  key: "errors",
  apl: "['web'] | where status >= 500 | summarize count()",
  startTime: "now-5m",
  endTime: "now",
  expect: { max: 5 },
  triggers: { image: "sha256:1" },
};

/** A behaviour that takes some milliseconds. */
export const slow =
  (ms: number, behaviour: Behaviour) =>
  (session: NotedSession): Behaviour =>
  (...request) => {
    session.pass(ms);
    return behaviour(...request);
  };

/** A gate on a service that answers as listed, one behaviour an attempt; the last one stays. */
export async function evaluate(change: Partial<QueryGateInputs>, ...behaviours: readonly Behaviour[]) {
  return evaluateTimed(change, ...behaviours.map((behaviour) => () => behaviour));
}

/** The same with behaviours that take time. */
export async function evaluateTimed(
  change: Partial<QueryGateInputs>,
  ...behaviours: readonly ((session: NotedSession) => Behaviour)[]
) {
  let session: NotedSession;
  await using service = await startService(
    ...behaviours.map(
      (behaviour): Behaviour =>
        (...request) =>
          behaviour(session)(...request),
    ),
  );
  await using client = connect(service.url);
  session = sessionOf(client);
  const outcome = await hostedQueryGate.lifecycle.create(session, { ...gate, ...change }).catch((e: Error) => e);
  const { calls, requests } = service;
  const failed = outcome instanceof Error ? outcome.message : undefined;
  return { state: outcome instanceof Error ? undefined : outcome.state, failed, session, calls, requests };
}

/** The failure of a gate that looks once. */
export const failureOf = async (change: Partial<QueryGateInputs>, behaviour: Behaviour) =>
  (await evaluate({ for: "1s", every: "1s", ...change }, behaviour)).failed;

/** How the process of an update reaches the service. Nothing listens at the default address. */
export interface ProcessSettings {
  readonly baseUrl?: string;
  readonly accessToken?: string;
  readonly profile?: Profile;
}

export const tellNobody: Tell = { warn: async () => undefined, inform: async () => undefined };

/** The process of an explicit provider in a new update, which knows nothing of earlier ones. */
export function startHost(settings: ProcessSettings = {}, tell = tellNobody) {
  const host = new Host(connectAccounts(), tell);
  const reached = { provider: "own", baseUrl: "http://127.0.0.1:1", accessToken: "xaat-root", ...settings };
  const values: Readonly<Record<string, string>> = reached;
  host.configure({ get: (key) => values[key.replace("event-datasets:", "")] });
  return host;
}

/** The reasons why inputs cannot be used, as the engine gets them. */
export async function findReasons(hosted: Hosted, inputs: object, profile?: Profile): Promise<readonly string[]> {
  const hooks = new Hooks(hosted, startHost(profile && { profile }));
  return (await hooks.check(undefined, inputs as Bag, tellNobody)).reasons;
}

/** The difference that an update finds, as the engine gets it. */
export async function diffInUpdate(hosted: Hosted, id: string, state: object, inputs: object) {
  const host = startHost();
  host.update.declare(scopeOf(hosted.definition.name, (inputs as Bag).key), inputs);
  return await new Hooks(hosted, host).diff(id, () => state as Bag, inputs as Bag, tellNobody);
}

/** The inputs that a check makes, with its failures as a user reads them. */
export function checkWith(
  hosted: Hosted,
  news: object,
  { olds, profile, ...more }: { readonly olds?: object | undefined; readonly profile?: Profile } & Partial<Plan> = {},
) {
  const { inputs, failures, warnings = [] } = checkInputs(hosted, olds as Bag, news as Bag, planOf(profile, more));
  return {
    inputs,
    failures: failures.map(({ property, reason }) => `${property} ${reason}`),
    properties: failures.map(({ property }) => property),
    warnings,
  };
}
