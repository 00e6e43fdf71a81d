import { connect } from "node:net";

/**
 * The address of the engine that started this process: the last argument that is an address. The engine puts its own flags
 * (`-v=9`, `--tracing`) before it. Undefined if no engine started this process.
 */
export const engineAddress = (args: readonly string[] = process.argv): string | undefined =>
  args.slice(2).findLast((argument) => /^(\[[0-9a-f:.]+\]|[\w.-]+):\d+$/i.test(argument));

/** Ends this process once the engine is gone: a killed engine leaves the host of dynamic providers running for ever. */
export function exitWithEngine(): void {
  const address = engineAddress();
  if (address === undefined) return;
  const look = async () => {
    if (await isEngineGone(address)) process.exit(1);
  };
  setInterval(() => void look(), 2_000).unref();
}

/** Whether the port of an engine is closed. False if that is not known, as on another machine. */
export function isEngineGone(address: string): Promise<boolean> {
  const [, host, port] = /^(127\.0\.0\.1|localhost|\[::1\]):(\d+)$/.exec(address) ?? [];
  if (host === undefined) return Promise.resolve(false);
  return new Promise((resolve) => {
    const socket = connect({ host: host.replace(/[[\]]/g, ""), port: Number(port) });
    const end = (isGone: boolean) => {
      socket.destroy();
      resolve(isGone);
    };
    socket.once("connect", () => end(false));
    socket.once("error", (failure) => end("code" in failure && failure.code === "ECONNREFUSED"));
  });
}
