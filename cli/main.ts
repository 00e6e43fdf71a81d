#!/usr/bin/env node
import { runCommandLine } from "./commandLine";
import { processIo, watchStreams } from "./processIo";
import { makeVisible } from "./text";

watchStreams();

/** Any failure means: could not tell. */
function giveUp(failure: Error): void {
  process.exitCode = 2;
  // A reader that went away knows that it did not read all.
  if ((failure.cause as NodeJS.ErrnoException | undefined)?.code !== "EPIPE")
    processIo.warn(makeVisible(failure.message));
}

process.on("uncaughtException", (failure: Error) => {
  giveUp(failure);
  process.exit();
});

runCommandLine(process.argv.slice(2), processIo)
  .then(async (ending) => {
    await processIo.flush();
    if (typeof ending === "number") process.exitCode = ending;
    else (await import("./child.js")).endLike(ending);
  })
  .catch(giveUp);
