import { QueryError } from "./errors";

/** Times are microseconds since 1970 (bigint), spans are nanoseconds (bigint). */
const spanUnits: Readonly<Record<string, bigint>> = (() => {
  const of = (names: string, nanos: bigint) => names.split(" ").map((name) => [name, nanos] as const);
  return Object.fromEntries([
    ...of("w week weeks", 604_800_000_000_000n),
    ...of("d day days", 86_400_000_000_000n),
    ...of("h hr hour hours", 3_600_000_000_000n),
    ...of("m min minute minutes", 60_000_000_000n),
    ...of("s sec second seconds", 1_000_000_000n),
    ...of("ms millisecond milliseconds", 1_000_000n),
    ...of("us µs microsecond microseconds", 1000n),
    ...of("tick ticks", 100n),
    ...of("ns nanosecond nanoseconds", 1n),
  ]);
})();

const spanPart = /(\d+(?:\.\d+)?)(µs|[a-z]+)/y;
const clockPattern = /^(-)?(?:(\d+)\.)?(\d{1,2}):(\d{2})(?::(\d{2})(?:\.(\d{1,9}))?)?$/;

/** `1.5h`, `2h45m` or `1.02:03:04.5` as nanoseconds; undefined if it is none of these. */
export function parseSpan(text: string): bigint | undefined {
  const clock = clockPattern.exec(text);
  if (clock) {
    const [, sign, days = "0", hours = "0", minutes = "0", seconds = "0", fraction = ""] = clock;
    const whole = ((BigInt(days) * 24n + BigInt(hours)) * 60n + BigInt(minutes)) * 60n + BigInt(seconds);
    const nanos = whole * 1_000_000_000n + BigInt(fraction.padEnd(9, "0"));
    return sign ? -nanos : nanos;
  }
  const negative = text.startsWith("-");
  const body = text.replace(/^[+-]/, "");
  let total = 0n;
  spanPart.lastIndex = 0;
  for (let match = spanPart.exec(body); match; match = spanPart.exec(body)) {
    const unit = spanUnits[match[2] ?? ""];
    if (unit === undefined) return undefined;
    const [whole = "0", fraction = ""] = (match[1] ?? "").split(".");
    total += BigInt(whole) * unit + (fraction ? (BigInt(fraction) * unit) / 10n ** BigInt(fraction.length) : 0n);
    if (spanPart.lastIndex === body.length) return negative ? -total : total;
  }
  return undefined;
}

const instantPattern =
  /^(\d{4})-(\d{2})-(\d{2})(?:[T ](\d{2}):(\d{2})(?::(\d{2})(?:[.,](\d{1,9}))?)?)?\s*(Z|z|[+-]\d{2}(?::?\d{2})?)?$/;

/** An RFC 3339 time, or a shorter form of ISO 8601, as microseconds since 1970. Without an offset it is UTC. */
export function parseInstant(text: string): bigint | undefined {
  const match = instantPattern.exec(text.trim());
  if (!match) return undefined;
  const [, year, month, day, hour = "0", minute = "0", second = "0", fraction = "", zone = "Z"] = match;
  return microsOfParts([year, month, day, hour, minute, second].map(Number), fraction, zone);
}

/**
 * An instant from its year, month, day, hour, minute and second; undefined if there is no such time.
 * @param zone an offset such as `+01:00`, `-0130` or `+01`; anything else means UTC
 */
export function microsOfParts(parts: readonly number[], fraction: string, zone: string): bigint | undefined {
  const [year = 0, month = 1, day = 1, hour = 0, minute = 0, second = 0] = parts;
  const date = new Date(0);
  date.setUTCFullYear(year, month - 1, day);
  if (date.getUTCMonth() !== month - 1 || date.getUTCDate() !== day) return undefined;
  if (hour > 23 || minute > 59 || second > 60) return undefined;
  const [, sign, hours = "0", minutes = "0"] = /^([+-])(\d{2}):?(\d{2})?$/.exec(zone) ?? [];
  const offset = (Number(hours) * 60 + Number(minutes)) * (sign === "-" ? -60 : 60);
  const seconds = date.getTime() / 1000 + hour * 3600 + minute * 60 + second - offset;
  return BigInt(seconds) * 1_000_000n + BigInt(fraction.padEnd(6, "0").slice(0, 6));
}

export const microsOf = (date: Date): bigint => BigInt(date.getTime()) * 1000n;

/** RFC 3339 has no year below 0 and none above 9999. */
const earliest = BigInt(Date.parse("0000-01-01T00:00:00Z")) * 1000n;
const latest = BigInt(Date.parse("9999-12-31T23:59:59Z")) * 1000n;

/** A time of a request: RFC 3339, or relative to now: `now`, `now-1h`, `now+30m`, `now-1w`. */
export function parseRequestTime(text: string, field: string, now: Date): bigint {
  const relative = /^now(?:\s*([+-])\s*(\S+))?$/.exec(text.trim());
  if (relative) {
    const [, sign, amount] = relative;
    const span = amount === undefined ? 0n : parseSpan(amount);
    const time = span === undefined ? undefined : microsOf(now) + (sign === "-" ? -span : span) / 1000n;
    if (time !== undefined && time >= earliest && time <= latest) return time;
  }
  const instant = parseInstant(text);
  if (instant !== undefined) return instant;
  throw new QueryError(
    "semantic",
    `${field} is ${JSON.stringify(text)}: expected an RFC 3339 time, or one relative to now such as "now-1h"`,
  );
}

/** A time in RFC 3339, in UTC, with all the digits of the fraction that it has. */
export function formatInstant(micros: bigint): string {
  const below = ((micros % 1_000_000n) + 1_000_000n) % 1_000_000n;
  const whole = new Date(Number((micros - below) / 1000n)).toISOString().slice(0, -".000Z".length);
  const fraction = below === 0n ? "" : `.${String(below).padStart(6, "0").replace(/0+$/, "")}`;
  return `${whole}${fraction}Z`;
}
