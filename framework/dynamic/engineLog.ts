import { log, runtime } from "@pulumi/pulumi";
import { engineAddress } from "../engineWatch";
import type { Tell } from "../lifecycle";

/**
 * The SDK's log, connected to the engine. The host that runs dynamic providers does not connect it; it is started with the
 * engine's address among its arguments.
 */
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

/** Shows warnings and progress in the engine's output. */
export const engineTell: Tell = new ConnectedLog();
