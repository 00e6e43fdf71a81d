import { printable } from "../../values/printable";

/**
 * Keeps the SDK from noting a stack for each of the four promises that it makes for every property of a resource, for the
 * time of its constructor. They are there to find promises that never end, and with source maps they are half of what a
 * program does for a token. Where a resource was declared is recorded all the same: the SDK lifts the limit itself for that.
 * @returns what to do in the end, and with a failure, which would have no stack
 */
export function withoutPromiseStacks(): { restore(): void; complete(failure: unknown): unknown } {
  const { stackTraceLimit } = Error;
  const restore = () => {
    Error.stackTraceLimit = stackTraceLimit;
  };
  if (!process.env.PULUMI_DEBUG_PROMISE_LEAKS) Error.stackTraceLimit = 0;
  return {
    restore,
    complete(failure) {
      restore();
      if (failure instanceof Error) Error.captureStackTrace(failure);
      return printable(failure);
    },
  };
}
