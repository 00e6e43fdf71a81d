import { notKnown } from "../framework/unknown";
import { expiryTime, readExpiry } from "../values/expiry";
import type { DeclaredToken } from "./declared";
import type { Expected, Fields } from "./differences";

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
