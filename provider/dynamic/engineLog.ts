import { log, runtime } from "@pulumi/pulumi";
import { engineAddress } from "../session/engineAddress";

let connected = false;

/**
 * Connects the log to the engine. The host that runs dynamic providers does not; it is started with the engine's
 * address among its arguments.
 */
function connect(): void {
  const engine = engineAddress();
  if (connected || !engine) return;
  runtime.resetOptions("", "", -1, engine, "", false, "");
  connected = true;
}

/** Shows a warning in the engine's output. */
export async function warn(message: string): Promise<void> {
  connect();
  await log.warn(message);
}

/** Shows a line of progress in the engine's output. */
export async function inform(message: string): Promise<void> {
  connect();
  await log.info(message);
}
