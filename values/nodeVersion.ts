/**
 * Stops on a Node.js that undici and the Pulumi SDK do not work on: they would fail inside, in ways that do not say so.
 * To be called before either is loaded.
 * @throws Error that names the version needed and the one that runs
 */
export function requireNode(): void {
  const [major = 0, minor = 0] = process.versions.node.split(".").map(Number);
  if (major > 22 || (major === 22 && minor >= 19)) return;
  throw makeSentence(`Node.js 22.19 or newer is needed; this is ${process.version} (${process.execPath})`);
}

/**
 * Stops on Bun, which replaces undici with a module of its own that cannot send our requests. To be called before undici is
 * loaded; resources send theirs in a process of Node.js.
 * @throws Error that names the runtime needed and the one that runs
 */
export function refuseBun(): void {
  const { bun } = process.versions;
  if (bun === undefined) return;
  throw makeSentence(
    `data functions and the client need Node.js, and this is Bun ${bun}: set "runtime: nodejs" in Pulumi.yaml`,
  );
}

/** Without a stack: where the check stands helps nobody. */
function makeSentence(message: string): Error {
  const failure = new Error(message);
  failure.stack = message;
  return failure;
}
