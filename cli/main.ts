#!/usr/bin/env node
import { CommandLine } from "./commandLine";
import { flush, processIo, watchStreams } from "./processIo";

const line = new CommandLine(process.argv.slice(2), processIo);

watchStreams();

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
