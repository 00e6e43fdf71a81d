import { log, runtime } from "@pulumi/pulumi";
import { engineAddress } from "../engineWatch";
import type { Tell } from "../lifecycle";

/** The SDK's log, connected to the engine: the host of dynamic providers does not connect it. */
class ConnectedLog implements Tell {
  #isConnected = false;

  warn = async (message: string): Promise<void> => {
    this.#connect();
    await log.warn(message);
  };

  inform = async (message: string): Promise<void> => {
    this.#connect();
    await log.info(message);
  };

  #connect(): void {
    const engine = engineAddress();
    if (this.#isConnected || !engine) return;
    runtime.resetOptions("", "", -1, engine, "", false, "");
    this.#isConnected = true;
  }
}

export const engineTell: Tell = new ConnectedLog();
