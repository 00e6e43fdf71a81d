import { requireNode } from "../../sdk/nodeVersion";
import { engineAddress } from "../session/engineAddress";
import { exitWithEngine } from "../session/engineWatch";

// The engine starts this with its address, and reads the port from the first line.
async function main(engine: string | undefined): Promise<void> {
  requireNode();
  exitWithEngine();
  // Only then the rest: undici fails in its own way on an older Node.js.
  const { serve } = require("./server") as typeof import("./server");
  process.stdout.write(`${(await serve(engine)).port}\n`);
}

main(engineAddress()).catch((failure: Error) => {
  process.stderr.write(`${failure.message}\n`);
  process.exitCode = 1;
});
