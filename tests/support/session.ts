import type { Plan, Session } from "../../provider/lifecycle/lifecycle";
import { type EventDatasets, hasOperation, type Profile } from "../../sdk";

/** A session that notes warnings and waits instead of showing and making them. */
export interface NotedSession extends Session {
  readonly warnings: string[];
  readonly progress: string[];
  readonly waits: number[];
}

export function sessionOf(client: EventDatasets, now = new Date("2026-11-21T12:00:00Z")): NotedSession {
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
  };
}

/** What `check` and `diff` get to know under a profile. */
export const planFor = (profile: Profile = "documented"): Plan => ({
  now: () => new Date("2026-11-21T12:00:00Z"),
  warn: async () => undefined,
  can: (operation) => hasOperation(profile, operation),
});
