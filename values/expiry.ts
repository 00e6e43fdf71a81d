import { readInstant } from "./instant";

/** When something ends, read from its text. */
export type Expiry =
  | { readonly kind: "never" }
  /** Not an RFC 3339 timestamp: it may be any time. */
  | { readonly kind: "unreadable"; readonly text: string }
  /** `milliseconds`: since the epoch. `digits`: the digits of the fraction of a second after these milliseconds. */
  | { readonly kind: "instant"; readonly milliseconds: number; readonly digits: string };

const never: Expiry = { kind: "never" };

/** The zero time of Go, which programs in Go write for "no value". */
const zeroTime = Date.parse("0001-01-01T00:00:00Z");

/**
 * Reads an expiry. Accepts more than `canonicalInstant`, because text from others is only judged, and not sent back: also leap
 * seconds, and offsets that lead out of the years 0000 to 9999.
 */
export function readExpiry(value: unknown): Expiry {
  if (value === undefined || value === null || value === "") return never;
  const text = String(value);
  const instant = readInstant(text);
  if (instant === undefined) return { kind: "unreadable", text };
  const { whole, fraction } = instant;
  if (whole === zeroTime && !/[1-9]/.test(fraction)) return never;
  const milliseconds = whole + Number(fraction.slice(0, 3).padEnd(3, "0"));
  return { kind: "instant", milliseconds, digits: fraction.slice(3).replace(/0+$/, "") };
}

/** Whether there is no expiry. The zero time begins with a zero in every time zone, so other digits need no parsing. */
export const isNever = (value: unknown): boolean => !/^[1-9]/.test(String(value)) && readExpiry(value).kind === "never";

/** Whether one expiry may come after another. An unreadable expiry may be at any time, unless both are the same text. */
export function mayExpireLater(a: Expiry, b: Expiry): boolean {
  if (b.kind === "never") return false;
  if (a.kind === "never") return true;
  if (a.kind === "unreadable" || b.kind === "unreadable") return !isSameExpiry(a, b);
  return a.milliseconds > b.milliseconds || (a.milliseconds === b.milliseconds && a.digits > b.digits);
}

/** Whether two expiries are the same time, however they are spelled. */
export const isSameExpiry = (a: Expiry, b: Expiry): boolean => JSON.stringify(a) === JSON.stringify(b);

/** An expiry in milliseconds since the epoch; infinite if there is none, undefined if it cannot be read. */
export function expiryTime(expiry: Expiry): number | undefined {
  if (expiry.kind === "unreadable") return undefined;
  return expiry.kind === "never" ? Number.POSITIVE_INFINITY : expiry.milliseconds;
}
