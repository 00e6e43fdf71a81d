import { notKnown } from "../framework/unknown";
import { countsFromCreation, type ExpiryInputs, lifetimeOf } from "../provider/apiToken/expiry";
import { parseDuration, shift } from "../values/duration";
import { expiryTime, readExpiry } from "../values/expiry";
import type { Expected, Fields } from "./differences";
import type { DeclaredToken } from "./state";

/**
 * The expected values of a live token: the recorded inputs, which come from the last program, or from a refresh that accepted
 * drift. An expiry that only the outputs have was decided when the token was created.
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
  // The one place where an encrypted record counts: nothing is known about the values that the service gave.
  if (record.isHidden) {
    return { declared, given: Object.fromEntries(Object.keys(declared).map((key) => [key, notKnown])) };
  }
  const isCounted = countsFromCreation(inputs as ExpiryInputs);
  const others = Object.keys(record.declared).filter((field) => field !== "expiresAt" || !isCounted);
  return { declared, given: Object.fromEntries(others.map((field) => [field, outputs[field] ?? ""])) };
}

/** Services round an expiry that was counted to the millisecond. */
const roundingTolerance = 5 * 60_000;

/** The declared expiry, or the computed one if it counts from the creation; unknown if it is encrypted. */
function expectedExpiry({ inputs, outputs, record }: DeclaredToken): unknown {
  const isCounted = countsFromCreation(inputs as ExpiryInputs);
  const candidates = [inputs.expiresAt, isCounted ? record.declared.expiresAt : undefined, outputs.expiresAt];
  const recorded =
    candidates.find((expiry) => expiry !== undefined && typeof expiry !== "symbol") ?? candidates[0] ?? candidates[2];
  // The program can shorten rotation.expireAfter later, which replaces no token: the outputs have the length of its creation.
  const length = lifetimeOf(outputs as ExpiryInputs);
  const duration = typeof length === "string" ? parseDuration(length) : undefined;
  if (inputs.expiresAt !== undefined || duration === undefined || typeof outputs.createdAt !== "string")
    return recorded;
  const counted = shift(new Date(outputs.createdAt), duration, 1).getTime() + roundingTolerance;
  // The state has the service's value: an expiry later than the requested one was not declared.
  const given = expiryTime(readExpiry(recorded)) ?? Number.POSITIVE_INFINITY;
  return counted < given ? new Date(counted - roundingTolerance).toISOString() : recorded;
}
