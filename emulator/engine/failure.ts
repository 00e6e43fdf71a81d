import { isQueryError, isTooDeep, QueryError } from "../apl/errors";
import type { Failure } from "./jobs";

/** Converts a failure for the message to the other process. */
export function packFailure(failure: unknown): Failure {
  if (isQueryError(failure)) {
    const { kind, reason, at } = failure;
    return { kind, reason, at };
  }
  if (failure instanceof RangeError && /Invalid string length|Array buffer allocation/.test(failure.message))
    return { kind: "limit", reason: "the result is too large" };
  if (isTooDeep(failure)) return { kind: "limit", reason: "the result is nested too deeply" };
  return { kind: "internal", reason: failure instanceof Error ? (failure.stack ?? failure.message) : String(failure) };
}

export const unpackFailure = ({ kind, reason, at }: Failure): Error =>
  kind === "internal" ? new Error(reason) : new QueryError(kind, reason, at);
