import { isQueryError, QueryError } from "../apl";
import type { Failure } from "./jobs";

/** A failure as it is sent from one process to the other. */
export function packFailure(failure: unknown): Failure {
  if (isQueryError(failure)) {
    const { kind, reason, at } = failure;
    return { kind, reason, at };
  }
  if (failure instanceof RangeError && /Invalid string length|Array buffer allocation/.test(failure.message))
    return { kind: "limit", reason: "the answer is too large" };
  return { kind: "internal", reason: failure instanceof Error ? (failure.stack ?? failure.message) : String(failure) };
}

export const unpackFailure = ({ kind, reason, at }: Failure): Error =>
  kind === "internal" ? new Error(reason) : new QueryError(kind, reason, at);
