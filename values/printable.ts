/**
 * A failure that a Pulumi program can end with. The SDK's source maps put frames such as `…/node_modules/@pulumi/output.ts` on
 * the stack of what fails within an `apply`. `util.inspect` of Node.js 20.20 and 22.23, with which the SDK prints a failure,
 * looks for the package's end there and never stops: the update would hang. Its causes are printed along.
 */
export function makePrintable<T>(failure: T): T {
  const seen = new Set<unknown>();
  for (
    let one: unknown = failure;
    one instanceof Object && !seen.has(one);
    one = "cause" in one ? one.cause : undefined
  ) {
    seen.add(one);
    const lines = "stack" in one && typeof one.stack === "string" ? one.stack.split("\n") : [];
    if (!lines.some(isEndless)) continue;
    const stack = lines.filter((line) => !isEndless(line)).join("\n");
    Object.defineProperty(one, "stack", { value: stack, configurable: true, writable: true });
  }
  return failure;
}

const isEndless = (line: string): boolean => /[\\/]node_modules[\\/]@[^\\/]+[\\/][^\\/]+$/.test(line);

/**
 * The same function with printable failures, thrown or rejected: every function that is exported goes through this, since
 * any of them can be called within an `apply`.
 */
export function withPrintableFailures<Run extends (...args: never[]) => unknown>(run: Run): Run {
  const guarded = (...args: Parameters<Run>): unknown => {
    try {
      const result = run(...args);
      return result instanceof Promise
        ? result.catch((failure: unknown) => Promise.reject(makePrintable(failure)))
        : result;
    } catch (failure) {
      throw makePrintable(failure);
    }
  };
  return guarded as Run;
}
