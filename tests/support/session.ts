import { Account } from "../../provider/account/account";
import type { Plan, Session } from "../../provider/account/connection";
import { type EventDatasets, hasOperation, type Profile } from "../../sdk";

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
    client,
    warnings,
    progress,
    waits,
    limits,
    pass,
    warn: async (message) => void warnings.push(message),
    inform: async (message) => void progress.push(message),
    now: () => now,
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
    cancelled: new AbortController().signal,
    claim: () => true,
    account: new Account(client, settings, environment),
  };
}

/** For a planning hook during an update. */
export const planOf = (profile: Profile = "documented", more: Partial<Plan> = {}): Plan => ({
  now: () => testTime,
  profile,
  can: (operation) => hasOperation(profile, operation),
  requireExpiry: false,
  isUpdate: true,
  fingerprint: undefined,
  claim: () => true,
  ...more,
});
