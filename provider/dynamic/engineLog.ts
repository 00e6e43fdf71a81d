import { log, runtime } from "@pulumi/pulumi";

let connected = false;

/**
 * Shows a warning in the engine's output. The host that runs dynamic providers does not connect the log to the engine;
 * it is started with the engine's address as its argument, so this does.
 */
export async function warn(message: string): Promise<void> {
  const engine = process.argv[2];
  if (!connected && engine) {
    runtime.resetOptions("", "", -1, engine, "", false, "");
    connected = true;
  }
  await log.warn(message);
}
