#!/usr/bin/env node
import { runCommandLine } from "./commandLine";
import { processIo, watchStreams } from "./processIo";
import { makeVisible } from "./text";

watchStreams();

/** Any failure means: could not check. */
function end(failure: Error): void {
  process.exitCode = 2;
  if (!isGone(failure)) processIo.warn(makeVisible(failure.message));
}

/** Whether the reader of the output went away, as `head` does: it knows that it did not read all. */
const isGone = ({ cause }: Error): boolean => (cause as NodeJS.ErrnoException | undefined)?.code === "EPIPE";

process.on("uncaughtException", (failure: Error) => {
  end(failure);
  process.exit();
});

runCommandLine(process.argv.slice(2), processIo)
  .then(async (ending) => {
    await processIo.flush().catch((failure: Error) => {
      if (!isGone(failure)) throw failure;
    });
    if (typeof ending === "number") process.exitCode = ending;
    else (await import("./child.js")).endLike(ending);
  })
  .catch(end);
