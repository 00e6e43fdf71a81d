/**
 * Stops if Node.js is older than this package needs. Call it before you load a dependency: dependencies fail with errors that
 * do not explain the cause.
 * @throws Error that names the version needed and the one that runs
 */
export function requireNode(): void {
  const [major = 0, minor = 0] = process.versions.node.split(".").map(Number);
  if (major > 22 || (major === 22 && minor >= 19)) return;
  throw makeSentence(`Node.js 22.19 or newer is needed; this is ${process.version} (${process.execPath})`);
}

/** An error without a stack, because the location of the check helps nobody. */
export function makeSentence(message: string): Error {
  const failure = new Error(message);
  failure.stack = message;
  return failure;
}
