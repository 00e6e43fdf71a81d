import { hasUnknown, notKnown } from "../framework/unknown";
import { expiryTime, readExpiry } from "../values/expiry";
import type { DeclaredToken } from "./declared";
import type { Expected, Fields } from "./differences";
import { isExpired, type LiveToken } from "./liveToken";

/**
 * The expected values of a live token: those that the last program declared, whatever a refresh has found since. An expiry that only
 * the outputs have was decided when the token was created.
 */
export function expectedOf(token: DeclaredToken): Expected {
  const { inputs, outputs } = token;
  const { name, description, datasetCapabilities, orgCapabilities, viewCapabilities } = inputs;
  const declared = {
    name: name ?? outputs.name,
    description,
    expiresAt: expectedExpiry(token),
    datasetCapabilities,
    orgCapabilities,
    viewCapabilities,
  } satisfies Required<Fields>;
  const { record } = token;
  // A refresh put live values into the inputs: the program declared the recorded ones, which may be encrypted.
  const drifted = Object.fromEntries(
    record.drifted.map((field) => [field, record.isHidden ? notKnown : record.declared[field]]),
  );
  // Nothing is known about the values that the service gave.
  if (record.isHidden) {
    const given = Object.fromEntries(Object.keys(declared).map((key) => [key, notKnown]));
    return { declared: { ...declared, ...drifted }, given };
  }
  const chosen = Object.keys(record.declared).filter((field) => !record.drifted.includes(field));
  const given = Object.fromEntries(chosen.map((field) => [field, outputs[field] ?? ""]));
  return { declared: { ...declared, ...drifted }, given };
}

/** Undefined if the name is encrypted. */
export function nameOf(token: DeclaredToken): string | undefined {
  const { name } = expectedOf(token).declared;
  return typeof name === "string" ? name : undefined;
}

/** The declared expiry, and the one that the service gave. */
export function expiriesOf(token: DeclaredToken): readonly unknown[] {
  const { declared, given = {} } = expectedOf(token);
  return [declared.expiresAt, given.expiresAt].filter((expiry) => expiry !== undefined);
}

/** Whether an expiry has certainly passed. */
const isPast = (expiry: unknown, now: number): boolean =>
  isExpired({ expiryTime: expiryTime(readExpiry(expiry)) }, now);

/** Whether every expected expiry has passed. */
export function hasExpired(token: DeclaredToken, now: number): boolean {
  const expiries = expiriesOf(token);
  return expiries.length > 0 && expiries.every((expiry) => isPast(expiry, now));
}

/** Whether a live token has expired, although no declared expiry has. Nothing is known about an encrypted one. */
export const isCutShort = (token: DeclaredToken, live: LiveToken, now: number): boolean =>
  isExpired(live, now) && !expiriesOf(token).some((one) => hasUnknown(one) || isPast(one, now));

/** Services round an expiry that was counted to the millisecond. */
const roundingTolerance = 5 * 60_000;

/** The declared expiry; if it is counted from the creation, the requested one; unknown if it is encrypted. */
function expectedExpiry({ inputs, outputs, record }: DeclaredToken): unknown {
  const requested = inputs.expiresIn === undefined ? undefined : record.declared.expiresAt;
  const [declared, given] = [inputs.expiresAt ?? requested, outputs.expiresAt];
  const isRounded = inputs.expiresAt === undefined && isWithinTolerance(requested, given);
  const candidates = isRounded ? [given] : [declared, given];
  return candidates.find((expiry) => expiry !== undefined && typeof expiry !== "symbol") ?? declared ?? given;
}

function isWithinTolerance(requested: unknown, given: unknown): boolean {
  const [a, b] = [requested, given].map((expiry) => expiryTime(readExpiry(expiry)));
  return a !== undefined && b !== undefined && Math.abs(a - b) <= roundingTolerance;
}
