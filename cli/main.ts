#!/usr/bin/env node
import { CommandLine } from "./commandLine";
import { processIo } from "./processIo";

const line = new CommandLine(process.argv.slice(2), processIo);

let unwritten: NodeJS.ErrnoException | undefined;
process.stdout.on("error", (failure) => {
  unwritten ??= failure;
});
process.stderr.on("error", () => undefined); // there is nobody left to tell

/** @throws Error unless everything was written. A reader that went away (EPIPE) knows that it did not read all. */
async function flush(): Promise<void> {
  await new Promise<void>((resolve) => process.stdout.write("", () => resolve()));
  if (unwritten) throw new Error(`standard output cannot be written to (${unwritten.code})`, { cause: unwritten });
}

/** Any failure means: could not tell. */
function giveUp(failure: Error): Promise<void> {
  process.exitCode = 2;
  return line.giveUp(failure);
}

process.on("uncaughtException", (failure: Error) => {
  void giveUp(failure).finally(() => process.exit(2));
});

line
  .run()
  .then(async (ending) => {
    await flush();
    if (typeof ending === "number") process.exitCode = ending;
    else (await import("./child.js")).endLike(ending);
  })
  .catch(giveUp);
