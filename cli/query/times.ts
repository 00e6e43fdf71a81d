import { parseDuration, shift } from "../../values/duration";
import { canonicalInstant } from "../../values/instant";

/**
 * A time in the form in which it is sent: an RFC 3339 timestamp. Relative times are computed here, because the documented
 * interface shows no format for them.
 * @param source the option or field that it is from, for the message
 * @throws Error that says what is allowed
 */
export function timeOf(text: string, source: string, now: Date): string {
  const [, sign, length] = /^now(?:([+-])(.+))?$/.exec(text) ?? [];
  if (text === "now") return now.toISOString();
  const duration = length === undefined ? undefined : parseDuration(length);
  if (duration) return shift(now, duration, sign === "-" ? -1 : 1).toISOString();
  const instant = canonicalInstant(text);
  if (instant !== undefined) return instant;
  throw new Error(
    `${source}: must be an RFC 3339 timestamp such as 2026-11-21T12:00:00Z, or now, now-15m, now-1h, now-7d`,
  );
}
