import { Update } from "../../framework/update";
import type { PresentAccount } from "../../provider/account/account";
import type { Plan, Session } from "../../provider/account/connection";
import { Account } from "../../provider/account/presence";
import { TokenLists } from "../../provider/apiToken/lists";
import { type EventDatasets, hasOperation, type Profile } from "../../sdk";
import { RetryPolicy } from "../../sdk/retry";

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

/** The hash of the credential that tests work with, unless they say otherwise. */
export const testHash = "0123456789ab";

export function sessionOf(client: EventDatasets, now = testTime, more: Partial<PresentAccount> = {}): NotedSession {
  const warnings: string[] = [];
  const progress: string[] = [];
  const waits: number[] = [];
  const limits: number[] = [];
  let elapsed = 0;
  const pass = (ms: number) => {
    elapsed += ms;
    for (const [at, limit] of open) if (elapsed >= at) limit.abort();
  };
  const open = new Map<number, AbortController>();
  const sleep = async (ms: number) => {
    waits.push(ms);
    pass(ms);
  };
  const here = { baseUrl: client.baseUrl, credentialHash: testHash };
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
      open.set(elapsed + ms, limit);
      return limit.signal;
    },
    sleep,
    account: new Account({ ...here, ...more }, sleep),
    lists: new TokenLists(client),
    remakes: new RetryPolicy(),
    update: new Update(),
  };
}

/** For a planning hook during an update. */
export const planOf = (profile: Profile = "documented", more: Partial<Plan> = {}): Plan => ({
  now: () => testTime,
  profile,
  can: (operation) => hasOperation(profile, operation),
  requireExpiry: false,
  isUpdate: true,
  here: undefined,
  update: new Update(),
  ...more,
});
