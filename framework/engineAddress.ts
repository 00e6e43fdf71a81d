/**
 * The address of the engine that started this process: the last of its arguments that is one. The engine puts the flags that it
 * was called with (`-v=9`, `--tracing`) before it.
 * @returns undefined: there is no engine
 */
export const engineAddress = (args: readonly string[] = process.argv): string | undefined =>
  args.slice(2).findLast((argument) => /^(\[[0-9a-f:.]+\]|[\w.-]+):\d+$/i.test(argument));
