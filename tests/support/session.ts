import type { Session } from "../../provider/lifecycle/lifecycle";
import type { EventDatasets } from "../../sdk";

/** A session that notes warnings and waits instead of showing and making them. */
export interface NotedSession extends Session {
  readonly warnings: string[];
  readonly waits: number[];
}

export function sessionOf(client: EventDatasets, now = new Date("2026-11-21T12:00:00Z")): NotedSession {
  const warnings: string[] = [];
  const waits: number[] = [];
  return {
    client,
    warnings,
    waits,
    warn: async (message) => void warnings.push(message),
    now: () => now,
    sleep: async (ms) => void waits.push(ms),
  };
}
