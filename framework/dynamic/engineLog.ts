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

const send = (write: typeof log.warn) => async (message: string) => {
  connect();
  await write(message);
};

export const engineTell: Tell = { warn: send(log.warn), inform: send(log.info) };
