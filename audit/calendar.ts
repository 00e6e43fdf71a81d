import type { LiveToken } from "./liveToken";
import { dueOf } from "./rotations";
import type { Rulebook } from "./tokens";

/** How many live tokens expire in a month (UTC), or become due for rotation. */
export interface CalendarMonth {
  /** `2027-01`. */
  readonly month: string;
  readonly expire: number;
  readonly rotate: number;
}

/** Two years. */
const span = 730 * 86_400_000;

/** Counts live tokens by the months in which they expire or become due for rotation. */
export function calendarOf(live: Iterable<LiveToken>, { now, recorded }: Rulebook): CalendarMonth[] {
  const months = new Map<string, { expire: number; rotate: number }>();
  const count = (kind: "expire" | "rotate", at: number | undefined) => {
    if (at === undefined || at < now || at > now + span) return;
    const month = new Date(at).toISOString().slice(0, 7);
    const counts = months.get(month) ?? { expire: 0, rotate: 0 };
    counts[kind] += 1;
    months.set(month, counts);
  };
  for (const { id, expiryTime } of live) {
    count("expire", expiryTime);
    count("rotate", dueOf(recorded.ids.get(id)?.[0]));
  }
  return [...months].map(([month, counts]) => ({ month, ...counts })).sort((a, b) => (a.month < b.month ? -1 : 1));
}
