import type { Plan, Session } from "../../provider/lifecycle/contract";
import { type EventDatasets, hasOperation, type Profile } from "../../sdk";

/** A session that notes warnings and waits instead of showing and making them. */
export interface NotedSession extends Session {
  readonly warnings: string[];
  readonly progress: string[];
  readonly waits: number[];
}

/** The moment that tests play at. */
export const testTime = new Date("2026-11-21T12:00:00Z");

export function sessionOf(client: EventDatasets, now = testTime): NotedSession {
  const warnings: string[] = [];
  const progress: string[] = [];
  const waits: number[] = [];
  return {
    client,
    warnings,
    progress,
    waits,
    warn: async (message) => void warnings.push(message),
    inform: async (message) => void progress.push(message),
    now: () => now,
    sleep: async (ms) => void waits.push(ms),
    adopted: new Set(),
  };
}

/** What a planning hook knows during an update. */
export const planOf = (profile: Profile = "documented", more: Partial<Plan> = {}): Plan => ({
  now: () => testTime,
  profile,
  can: (operation) => hasOperation(profile, operation),
  requireExpiry: false,
  updating: true,
  ...more,
});
