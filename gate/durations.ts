import { parseDuration } from "../values/duration";

/** The durations of a gate, such as `15s` or `PT15S`. */
export interface Durations {
  /** The pause between two attempts. */
  readonly every?: string | undefined;
  /** The time limit of the gate. */
  readonly for?: string | undefined;
  /** How long the value must keep passing. */
  readonly settle?: string | undefined;
}

/** The default durations. */
export const usualDurations = { every: "15s", for: "5m", settle: "0s" } as const;

const millisecondsOf = (text: string): number => parseDuration(text)?.milliseconds ?? 0;

/** Durations that have been checked, in milliseconds. */
export function readDurations(durations: Durations): { every: number; limit: number; settle: number } {
  const { every = usualDurations.every, for: limit = usualDurations.for, settle = usualDurations.settle } = durations;
  return { every: millisecondsOf(every), limit: millisecondsOf(limit), settle: millisecondsOf(settle) };
}

/** Finds durations in months, or else durations that contradict each other. */
export function judgeDurations(
  durations: Durations,
): { readonly property: keyof Durations; readonly reason: string }[] {
  const names = ["every", "for", "settle"] as const;
  const inMonths = names.filter((name) => (parseDuration(durations[name] ?? "")?.months ?? 0) > 0);
  if (inMonths.length > 0)
    return inMonths.map((property) => ({ property, reason: "must not use months, whose length varies" }));
  const { every, settle } = durations;
  const { limit, ...times } = readDurations({ ...durations, every: every ?? "0s" });
  const named = `for${durations.for === undefined ? ` (${usualDurations.for})` : ""}`;
  return [
    ...(times.every > limit ? [{ property: "every", reason: `must not be longer than ${named}` } as const] : []),
    // The value is first seen when the first query has been answered, so it cannot hold for all of the time.
    ...(settle !== undefined && times.settle >= limit
      ? [{ property: "settle", reason: `must be shorter than ${named}` } as const]
      : []),
  ];
}
