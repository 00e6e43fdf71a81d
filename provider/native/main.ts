import { engineAddress, exitWithEngine } from "../../framework/engineWatch";
import schema from "../../schema.json";
import { requireNode } from "../../values/nodeVersion";

// The engine starts this with its address, and reads the port from the first line.
async function main(engine: string | undefined): Promise<void> {
  requireNode();
  // The engine's messages are decoded into plain objects, where a member of this name would be lost: a dataset can be called so.
  Reflect.deleteProperty(Object.prototype, "__proto__");
  exitWithEngine();
  // Only then the rest: undici fails in its own way on an older Node.js.
  const { serve } = require("../../framework/native/server") as typeof import("../../framework/native/server");
  const { eventDatasets } = require("../eventDatasets") as typeof import("../eventDatasets");
  process.stdout.write(`${(await serve(eventDatasets, schema, engine)).port}\n`);
}

main(engineAddress()).catch((failure: Error) => {
  process.stderr.write(`${failure.message}\n`);
  process.exitCode = 1;
});
