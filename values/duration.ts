import { isWritable } from "./instant";

/** A length of time. Months are separate, because their length depends on where they start. */
export interface Duration {
  readonly months: number;
  readonly milliseconds: number;
}

const second = 1000;
const units = { s: second, m: 60 * second, h: 3600 * second, d: 86_400 * second, w: 7 * 86_400 * second } as const;

const short = /^(\d{1,6})([smhdw])$/;
const iso =
  /^P(?=[\dT])(?:(\d{1,4})Y)?(?:(\d{1,5})M)?(?:(\d{1,6})W)?(?:(\d{1,6})D)?(?:T(?=\d)(?:(\d{1,6})H)?(?:(\d{1,6})M)?(?:(\d{1,6})S)?)?$/;

/** Nothing here lasts longer, and an instant so far away can hardly be written. */
const maxYears = 1000;
const maxMilliseconds = maxYears * 366 * units.d;

/**
 * Reads a short duration (`36h`, `14d`; units s, m, h, d, w) or an ISO 8601 one (`P90D`, `PT36H`, `P3M`).
 * @returns undefined for anything else, and for a duration of more than 1000 years
 */
export function parseDuration(text: string): Duration | undefined {
  const duration = parseShort(text) ?? parseIso(text);
  return duration && duration.months <= maxYears * 12 && duration.milliseconds <= maxMilliseconds
    ? duration
    : undefined;
}

function parseShort(text: string): Duration | undefined {
  const [, count, unit] = short.exec(text) ?? [];
  return count && unit ? { months: 0, milliseconds: Number(count) * units[unit as keyof typeof units] } : undefined;
}

function parseIso(text: string): Duration | undefined {
  const match = iso.exec(text);
  if (!match) return undefined;
  const [years = 0, months = 0, w = 0, d = 0, h = 0, m = 0, s = 0] = match.slice(1).map((part) => Number(part ?? 0));
  return {
    months: years * 12 + months,
    milliseconds: w * units.w + d * units.d + h * units.h + m * units.m + s * units.s,
  };
}

/**
 * The instant that is a duration after (`1`) or before (`-1`) another. If a month lacks the day, its last day is used.
 * @throws RangeError for a moment outside the years 0000 to 9999, which no instant can name
 */
export function shift(from: Date, { months, milliseconds }: Duration, direction: 1 | -1): Date {
  const day = from.getUTCDate();
  const moved = new Date(from);
  moved.setUTCDate(1);
  moved.setUTCMonth(moved.getUTCMonth() + direction * months);
  // Day 0 of the next month. Date.UTC would take a year below 100 for one of the twentieth century.
  const end = new Date(moved);
  end.setUTCMonth(end.getUTCMonth() + 1, 0);
  moved.setUTCDate(Math.min(day, end.getUTCDate()));
  const shifted = new Date(moved.getTime() + direction * milliseconds);
  if (!isWritable(shifted)) throw new RangeError("the time is outside the years 0000 to 9999");
  return shifted;
}

/** Each month of eight years: those around 2100, which has no leap day, so that years of both lengths follow one another. */
const starts = Array.from({ length: 8 * 12 }, (_, month) => new Date(Date.UTC(2096, month)));

/** Whether one duration is shorter than another from every start. Of `P1M` and `30d`, neither is shorter. */
export const isAlwaysShorter = (a: Duration, b: Duration): boolean =>
  starts.every((start) => shift(start, a, 1) < shift(start, b, 1));

/** A duration as an adjective: "14-day", "36-hour". Anything but whole days, hours or minutes stays as it is. */
export function spellAsAdjective(text: string): string {
  const duration = parseDuration(text);
  if (!duration || duration.months > 0) return text;
  for (const [name, unit] of [
    ["day", units.d],
    ["hour", units.h],
    ["minute", units.m],
  ] as const) {
    if (duration.milliseconds >= unit && duration.milliseconds % unit === 0)
      return `${duration.milliseconds / unit}-${name}`;
  }
  return text;
}
