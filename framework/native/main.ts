import { requireNode } from "../../values/nodeVersion";
import { engineAddress, exitWithEngine } from "../engineWatch";
import type { Provider } from "../provider";

/**
 * The plugin of a provider. The engine passes its address to the plugin, and reads the port from the first line of the output.
 * @param load the provider with its package schema; is called when Node.js is new enough for what they load
 */
export function runPlugin(load: () => { readonly provider: Provider; readonly schema: object }): void {
  start(load).catch((failure: Error) => {
    process.stderr.write(`${failure.message}\n`);
    process.exitCode = 1;
  });
}

async function start(load: Parameters<typeof runPlugin>[0]): Promise<void> {
  requireNode();
  // The engine's messages are decoded into plain objects, where a member of this name would be lost: an object's key can be called so.
  Reflect.deleteProperty(Object.prototype, "__proto__");
  exitWithEngine();
  const { serve } = require("./server") as typeof import("./server");
  const { provider, schema } = load();
  process.stdout.write(`${(await serve(provider, schema, engineAddress())).port}\n`);
}
