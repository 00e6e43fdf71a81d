/**
 * Stops on a Node.js that undici and the Pulumi SDK do not work on: they would fail inside, in ways that do not say so.
 * To be called before either is loaded.
 * @throws Error that names the version needed and the one that runs
 */
export function requireNode(): void {
  const [major = 0, minor = 0] = process.versions.node.split(".").map(Number);
  if (major > 22 || (major === 22 && minor >= 19)) return;
  const failure = new Error(`Node.js 22.19 or newer is needed; this is ${process.version} (${process.execPath})`);
  // Where the check stands helps nobody: the sentence is all that there is to say.
  failure.stack = failure.message;
  throw failure;
}
