import type { Random } from "../random";

const day = 86_400_000;

/** The time that a service states: its own with an offset, one that stands still, or that of a stored response. */
export type ShownClock =
  | { readonly offset: number; readonly isStored?: boolean }
  | { readonly standsAt: number; readonly isStored?: false };

/** The headers that state the time. */
export function dateHeaders(clock: ShownClock, now: Date): Readonly<Record<string, string>> {
  const stated = "standsAt" in clock ? clock.standsAt : now.getTime() + clock.offset;
  return { date: new Date(stated).toUTCString(), ...(clock.isStored && { age: "86400" }) };
}

/** Whether a service states its own time. */
export const isHonest = (clock: ShownClock): boolean => "offset" in clock && clock.offset === 0;

/** The clock of a service for some time: mostly its own. */
export function pickClock(random: Random, now: Date): ShownClock {
  if (random.chance(0.75)) return { offset: 0 };
  return random.pick<ShownClock>([
    { offset: day },
    { offset: -day },
    { offset: -day, isStored: true },
    { standsAt: now.getTime() - 3_600_000 },
  ]);
}

/** How far this machine's clock is ahead: mostly not at all. */
export const pickOffset = (random: Random): number => (random.chance(0.9) ? 0 : random.pick([day, -day]));
