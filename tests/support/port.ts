import { randomInt } from "node:crypto";
import { once } from "node:events";
import { readFile } from "node:fs/promises";
import { createServer, type Server } from "node:net";

const portsOfAWorker = 1_000;

/** The first port that the system gives to outgoing connections by itself. */
export async function readFirstTemporaryPort(): Promise<number> {
  const range = await readFile("/proc/sys/net/ipv4/ip_local_port_range", "utf8").catch(() => "32768");
  return Number.parseInt(range, 10);
}

/**
 * A free port for a service that starts later. It is none that an outgoing connection of another process could get until then, and
 * no other worker's. Another test run on this machine has the same workers: no process gets a port that another one has claimed.
 */
export async function findFreePort(): Promise<number> {
  const worker = Number(process.env.JEST_WORKER_ID);
  const lowest = Math.max(1024, (await readFirstTemporaryPort()) - worker * portsOfAWorker);
  const start = randomInt(portsOfAWorker);
  for (let n = 0; n < portsOfAWorker; n++) {
    const port = lowest + ((start + n) % portsOfAWorker);
    if ((await isFree(port)) && (await claim(port))) return port;
  }
  throw new Error(`no port is free from ${lowest} on`);
}

const claims: Server[] = [];
const mostClaims = 500;

/**
 * Claims a port for this process until it ends, or has claimed many more: by listening at it at another address of this machine,
 * which no service uses. Some systems have no other address; then nothing is claimed.
 * @returns false if somebody else has claimed it
 */
async function claim(port: number): Promise<boolean> {
  const found = await tryToListen(port, "127.0.0.2");
  if (found === "EADDRINUSE") return false;
  if (found === "EADDRNOTAVAIL") return true;
  claims.push(found.unref());
  if (claims.length > mostClaims) claims.shift()?.close();
  return true;
}

export async function isFree(port: number): Promise<boolean> {
  const found = await tryToListen(port, "127.0.0.1");
  if (typeof found === "string") return false;
  await new Promise((resolve) => found.close(resolve));
  return true;
}

async function tryToListen(port: number, address: string): Promise<Server | "EADDRINUSE" | "EADDRNOTAVAIL"> {
  const server = createServer();
  const listening = once(server, "listening");
  server.listen(port, address);
  try {
    await listening;
    return server;
  } catch (failure) {
    const { code } = failure as NodeJS.ErrnoException;
    if (code === "EADDRINUSE" || code === "EADDRNOTAVAIL") return code;
    throw failure;
  }
}
