/** A length of time. Months are kept apart: how long one is depends on where it starts. */
export interface Duration {
  readonly months: number;
  readonly milliseconds: number;
}

const second = 1000;
const units = { s: second, m: 60 * second, h: 3600 * second, d: 86_400 * second, w: 7 * 86_400 * second } as const;

const short = /^(\d{1,6})([smhdw])$/;
const iso =
  /^P(?=[\dT])(?:(\d{1,4})Y)?(?:(\d{1,5})M)?(?:(\d{1,6})W)?(?:(\d{1,6})D)?(?:T(?=\d)(?:(\d{1,6})H)?(?:(\d{1,6})M)?(?:(\d{1,6})S)?)?$/;

/** Reads a short duration (`36h`, `14d`; units s, m, h, d, w) or an ISO 8601 one (`P90D`, `PT36H`, `P3M`). */
export function parseDuration(text: string): Duration | undefined {
  const [, count, unit] = short.exec(text) ?? [];
  if (count && unit) return { months: 0, milliseconds: Number(count) * units[unit as keyof typeof units] };
  const match = iso.exec(text);
  if (!match) return undefined;
  const [years = 0, months = 0, w = 0, d = 0, h = 0, m = 0, s = 0] = match.slice(1).map((part) => Number(part ?? 0));
  return {
    months: years * 12 + months,
    milliseconds: w * units.w + d * units.d + h * units.h + m * units.m + s * units.s,
  };
}

/** The moment that lies a duration after (`1`) or before (`-1`) another. The last day of a month stands in for one that it lacks. */
export function shift(from: Date, { months, milliseconds }: Duration, direction: 1 | -1): Date {
  const day = from.getUTCDate();
  const moved = new Date(from);
  moved.setUTCDate(1);
  moved.setUTCMonth(moved.getUTCMonth() + direction * months);
  const lastDay = new Date(Date.UTC(moved.getUTCFullYear(), moved.getUTCMonth() + 1, 0)).getUTCDate();
  moved.setUTCDate(Math.min(day, lastDay));
  return new Date(moved.getTime() + direction * milliseconds);
}

/** A duration as an adjective: "14-day", "36-hour"; an uneven one as it was written. */
export function adjective(text: string): string {
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
