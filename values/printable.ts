/**
 * A failure that `util.inspect` can print, with its causes. In Node.js 20.20 and 22.23, `inspect` never returns if a frame of
 * a stack names a file directly below a scope, such as `…/node_modules/@scope/file.ts`, which source maps can make: `inspect`
 * looks for the end of the package's name.
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
 * The same function with printable failures, thrown or rejected. Every function that programs can call goes through this
 * (AGENTS.md, "Invariants").
 */
export const withPrintableFailures = <Run extends (...args: never[]) => unknown>(run: Run): Run =>
  withFailures(makePrintable, run);

/** The same function with failures of which Pulumi's SDK prints only the message. A mistake in the code keeps its stack. */
export const printMessageAlone = <Run extends (...args: never[]) => unknown>(run: Run): Run =>
  withFailures((failure) => hideStack(makePrintable(failure)), run);

/**
 * The same function with failures whose stack is empty, because Pulumi's host of dynamic providers would print the stack as
 * text. A mistake in the code keeps its stack.
 */
export const withoutStacks = <Run extends (...args: never[]) => unknown>(run: Run): Run =>
  withFailures((failure) => {
    if (isExplained(failure))
      Object.defineProperty(failure, "stack", { value: "", configurable: true, writable: true });
    return failure;
  }, run);

/** The SDK recognizes its own `RunError` by this member (`@pulumi/pulumi/errors.js`). */
function hideStack<T>(failure: T): T {
  if (isExplained(failure)) Object.defineProperty(failure, "__pulumiRunError", { value: true, configurable: true });
  return failure;
}

/** Whether the message is enough for a user. A mistake in the code needs its stack. */
const isExplained = (failure: unknown): failure is Error =>
  failure instanceof Error && (failure.name === "Error" || failure.name === "ApiError");

function withFailures<Run extends (...args: never[]) => unknown>(prepare: <T>(failure: T) => T, run: Run): Run {
  const guarded = (...args: Parameters<Run>): unknown => {
    try {
      const result = run(...args);
      return result instanceof Promise ? result.catch((failure: unknown) => Promise.reject(prepare(failure))) : result;
    } catch (failure) {
      throw prepare(failure);
    }
  };
  return guarded as Run;
}
