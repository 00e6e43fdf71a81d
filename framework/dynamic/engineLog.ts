import { log, runtime } from "@pulumi/pulumi";
import { engineAddress } from "../engineWatch";
import type { Tell } from "../lifecycle";

let isConnected = false;

/** Connects the SDK's log to the engine: the host of dynamic providers does not. */
function connect(): void {
  const engine = engineAddress();
  if (isConnected || !engine) return;
  runtime.resetOptions("", "", -1, engine, "", false, "");
  isConnected = true;
}

/** A message that is not delivered must not fail a hook: the secret of a create would be lost. */
const send = (write: typeof log.warn) => async (message: string) => {
  try {
    connect();
    await write(message);
  } catch {
    // The engine is gone, or takes no more lines.
  }
};

export const engineTell: Tell = { warn: send(log.warn), inform: send(log.info) };
