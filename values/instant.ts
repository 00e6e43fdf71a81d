const form = /^(\d{4}-\d{2}-\d{2})[Tt](\d{2}:\d{2}):(\d{2})(?:\.(\d+))?(?:[Zz]|([+-])(\d{2}):(\d{2}))$/;

/** The tolerance between two clocks, in milliseconds. In an audit, an expiry counts as past only after this time. */
export const clockTolerance = 5 * 60_000;

/** An RFC 3339 timestamp. */
export interface Instant {
  /** Whole seconds since the epoch, in milliseconds. */
  readonly whole: number;
  /** The digits of the fraction of a second. */
  readonly fraction: string;
  readonly isLeapSecond: boolean;
}

/** @returns undefined for anything that is not a date and time with a zone, such as 30 February */
export function readInstant(text: string): Instant | undefined {
  const [, date = "", minute = "", second = "", fraction = "", sign, hours = "0", minutes = "0"] =
    form.exec(text) ?? [];
  const start = Date.parse(`${date}T${minute}:00Z`);
  // Date.parse lets 30 February and 24:00 roll over into the next day, so what it read must be what was written.
  if (Number.isNaN(start) || new Date(start).toISOString() !== `${date}T${minute}:00.000Z`) return undefined;
  if (Number(second) > 60 || Number(hours) > 23 || Number(minutes) > 59) return undefined;
  const offset = (Number(hours) * 60 + Number(minutes)) * 60_000 * (sign === "-" ? -1 : 1);
  return { whole: start + Number(second) * 1000 - offset, fraction, isLeapSecond: second === "60" };
}

/** A clock's time as an RFC 3339 timestamp, without fractions of a second. */
export const toTheSecond = (time: Date): string => `${time.toISOString().slice(0, 19)}Z`;

/**
 * An RFC 3339 timestamp in its canonical spelling: UTC, `Z`, no trailing zeros in the fraction. The same instant always gives
 * the same text, down to the last digit of its fraction.
 *
 * @returns undefined for anything that is not an instant, for a leap second, and for an instant that is not within the years
 *   0000 to 9999 of UTC
 */
export function canonicalInstant(text: string): string | undefined {
  const read = readInstant(text);
  if (read === undefined || read.isLeapSecond) return undefined;
  const instant = new Date(read.whole);
  if (!isWritable(instant)) return undefined;
  const digits = read.fraction.replace(/0+$/, "");
  return `${instant.toISOString().slice(0, -5)}${digits && `.${digits}`}Z`;
}

/** Whether a date can be written as an RFC 3339 timestamp, which has four digits for the year. */
export function isWritable(date: Date): boolean {
  const year = date.getUTCFullYear();
  return year >= 0 && year <= 9999;
}

/** Whether one RFC 3339 timestamp is after another; false if one of the texts is not a timestamp. */
export function isAfter(a: string, b: string): boolean {
  const [x, y] = [canonicalInstant(a), canonicalInstant(b)];
  return x !== undefined && y !== undefined && compareInstants(x, y) > 0;
}

/** Compares two instants for `Array.sort`. Both must be canonical. */
export function compareInstants(a: string, b: string): number {
  const [x, y] = [a.slice(0, -1), b.slice(0, -1)];
  return x < y ? -1 : x > y ? 1 : 0;
}
