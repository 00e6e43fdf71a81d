import { connect } from "node:net";
import { engineAddress } from "./engineAddress";

/** How often it is looked whether the engine is still there, in milliseconds. */
const interval = 2_000;

let watching = false;

/**
 * Ends this process once the engine is gone. A killed engine takes neither the host of the dynamic providers nor the
 * shell that started it along; the host would wait for ever, and a create that it retries would reach nobody.
 */
export function exitWithEngine(): void {
  const [, host, port] = /^(127\.0\.0\.1|localhost|\[::1\]):(\d+)$/.exec(engineAddress() ?? "") ?? [];
  if (watching || host === undefined) return;
  watching = true;
  const look = () => {
    const socket = connect({ host: host.replace(/[[\]]/g, ""), port: Number(port) });
    socket.once("connect", () => socket.destroy());
    socket.once("error", (failure) => {
      socket.destroy();
      if ("code" in failure && failure.code === "ECONNREFUSED") process.exit(1);
    });
  };
  setInterval(look, interval).unref();
}
