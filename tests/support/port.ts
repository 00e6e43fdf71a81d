import { randomInt } from "node:crypto";
import { once } from "node:events";
import { readFile } from "node:fs/promises";
import { createServer } from "node:net";

const portsOfAWorker = 1_000;

/** The first port that the system gives to outgoing connections by itself. */
export async function readFirstTemporaryPort(): Promise<number> {
  const range = await readFile("/proc/sys/net/ipv4/ip_local_port_range", "utf8").catch(() => "32768");
  return Number.parseInt(range, 10);
}

/**
 * A free port for a service that starts later. It is none that an outgoing connection of another process could get until then, and
 * no other worker's. The search starts anywhere, because another test run on this machine has the same workers.
 */
export async function findFreePort(): Promise<number> {
  const worker = Number(process.env.JEST_WORKER_ID);
  const lowest = Math.max(1024, (await readFirstTemporaryPort()) - worker * portsOfAWorker);
  const start = randomInt(portsOfAWorker);
  for (let n = 0; n < portsOfAWorker; n++) {
    const port = lowest + ((start + n) % portsOfAWorker);
    if (await isFree(port)) return port;
  }
  throw new Error(`no port is free from ${lowest} on`);
}

export async function isFree(port: number): Promise<boolean> {
  const server = createServer();
  const listening = once(server, "listening");
  server.listen(port, "127.0.0.1");
  try {
    await listening;
  } catch (failure) {
    if ((failure as NodeJS.ErrnoException).code !== "EADDRINUSE") throw failure;
    return false;
  }
  await new Promise((resolve) => server.close(resolve));
  return true;
}
