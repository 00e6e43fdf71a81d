import { rotatesAt } from "../provider/nouns/apiToken/rotation";
import { isObject } from "../values/json";
import type { DeclaredToken } from "./declared";
import type { Recorded } from "./holders";
import type { LiveToken } from "./liveToken";

/**
 * When the rotation of a declared token is due, in milliseconds since the epoch; undefined if never, or if the token is being
 * replaced.
 */
function dueOf(token: DeclaredToken | undefined): number | undefined {
  if (!token || token.awaits || !isObject(token.inputs.rotation)) return undefined;
  const rotateBefore = textOf(token.inputs.rotation.rotateBefore);
  return rotateBefore === undefined
    ? undefined
    : rotatesAt({ expiresAt: textOf(token.outputs.expiresAt) }, { rotateBefore })?.getTime();
}

const textOf = (value: unknown): string | undefined => (typeof value === "string" ? value : undefined);

/** Updates are scheduled once a day or more often. */
const patience = 86_400_000;

/**
 * When a rotation becomes overdue: a day after it was due, or after half of the time that remained until the expiry, whichever is
 * sooner.
 * @param expiryTime the live token's expiry, which somebody may have changed
 * @returns undefined if the token is not rotated before it expires
 */
export function overdueFrom(token: DeclaredToken | undefined, expiryTime: number): number | undefined {
  const due = dueOf(token);
  return due === undefined || due >= expiryTime ? undefined : due + Math.min(patience, (expiryTime - due) / 2);
}

/** How many live tokens expire in a month (UTC), or become due for rotation. */
export interface CalendarMonth {
  /** `2027-01`. */
  readonly month: string;
  readonly expire: number;
  readonly rotate: number;
}

/** Two years. */
const span = 730 * 86_400_000;

/** Counts live tokens by the months of the next two years in which they expire or become due for rotation. */
export function calendarOf(live: Iterable<LiveToken>, recorded: Recorded, now: number): CalendarMonth[] {
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
