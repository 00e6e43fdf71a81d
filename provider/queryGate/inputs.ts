import type { Bag, CheckFailure } from "../../framework/lifecycle";
import { hasUnknown } from "../../framework/unknown";
import { parseDuration } from "../../values/duration";

/** How long a gate goes on, if nothing is declared. */
export const defaultLimit = "5m";

/** A duration that has been checked. */
export const millisecondsOf = (text: string): number => parseDuration(text)?.milliseconds ?? 0;

/** Durations that do not go together. */
export function checkDurations(news: Bag): CheckFailure[] {
  const read = (key: string, otherwise: string) =>
    hasUnknown(news[key]) ? undefined : parseDuration(String(news[key] ?? otherwise));
  const durations = { every: read("every", "0s"), for: read("for", defaultLimit), settle: read("settle", "0s") };
  const inMonths = Object.entries(durations).filter(([, duration]) => (duration?.months ?? 0) > 0);
  if (inMonths.length > 0) return inMonths.map(([property]) => ({ property, reason: "must not be counted in months" }));
  const { milliseconds: limit = Number.POSITIVE_INFINITY } = durations.for ?? {};
  const named = `for${news.for === undefined ? ` (${defaultLimit})` : ""}`;
  const { every, settle } = durations;
  return [
    ...(every && every.milliseconds > limit ? [{ property: "every", reason: `must not be longer than ${named}` }] : []),
    // The value is first seen when the first query has been answered, so it cannot hold for all of the time.
    ...(settle && settle.milliseconds >= limit
      ? [{ property: "settle", reason: `must be shorter than ${named}` }]
      : []),
  ];
}
