import { randomInt } from "node:crypto";
import { once } from "node:events";
import { readFile } from "node:fs/promises";
import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import { type AddressInfo, createServer as createListener, type Server as Listener, type Socket } from "node:net";

/** One request as it arrived. */
export interface Arrived {
  readonly call: string;
  readonly headers: IncomingMessage["headers"];
  readonly body: string;
  /** Local port of the client: tells connections apart. */
  readonly port: number | undefined;
}

/** Answers one request in whatever way a test needs, well-behaved or not. */
export type Behaviour = (response: ServerResponse, request: Arrived, socket: Socket) => void | Promise<void>;

/** A real HTTP service whose answers a test decides one by one. */
export interface ScriptedService extends AsyncDisposable {
  readonly url: string;
  readonly requests: readonly Arrived[];
  /** "GET /v2/tokens" for each request, in order. */
  readonly calls: readonly string[];
}

export const json =
  (status: number, body: unknown, headers: Record<string, string> = {}): Behaviour =>
  (response) => {
    response.writeHead(status, { "content-type": "application/json", ...headers });
    response.end(JSON.stringify(body));
  };

/** Responds to each call, such as "GET /v2/tokens", with its own body; to any other with 404. */
export const answering =
  (bodies: Readonly<Record<string, unknown>>): Behaviour =>
  (...request) => {
    const body = bodies[request[1].call];
    return json(body === undefined ? 404 : 200, body ?? { message: "not found" })(...request);
  };

/** A response that is written as it is, such as one that `JSON.stringify` cannot write. */
export const raw =
  (body: Uint8Array | string, headers: Record<string, string> = {}): Behaviour =>
  (response) =>
    void response.writeHead(200, { "content-type": "application/json", ...headers }).end(body);

/** Destroys the connection after the request arrived whole. */
export const hangUp: Behaviour = (_response, _request, socket) => {
  socket.resetAndDestroy();
};

/** Never answers. */
export const silence: Behaviour = () => undefined;

/** Starts a service that behaves as listed, one behaviour a request; the last one stays. */
export async function startService(...behaviours: readonly Behaviour[]): Promise<ScriptedService> {
  const requests: Arrived[] = [];
  const sockets = new Set<Socket>();
  const server: Server = createServer(async (request, response) => {
    const port = request.socket.remotePort;
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk as Buffer);
    const arrived = {
      call: `${request.method} ${request.url}`,
      headers: request.headers,
      body: Buffer.concat(chunks).toString(),
      port,
    };
    requests.push(arrived);
    const behaviour = behaviours[Math.min(requests.length, behaviours.length) - 1];
    if (!behaviour) throw new Error("a service needs a behaviour");
    await behaviour(response, arrived, request.socket);
  });
  server.on("connection", (socket) => {
    sockets.add(socket);
    socket.on("close", () => sockets.delete(socket));
  });
  const port = await listen(server);
  return {
    url: `http://127.0.0.1:${port}`,
    requests,
    get calls() {
      return requests.map((r) => r.call);
    },
    async [Symbol.asyncDispose]() {
      const closed = new Promise((resolve) => server.close(resolve));
      for (const socket of sockets) socket.destroy();
      await closed;
    },
  };
}

/** Lets a server listen on loopback. @returns its port, which the system chose */
export async function listen(server: Listener): Promise<number> {
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  return (server.address() as AddressInfo).port;
}

const portsOfAWorker = 1_000;

/** The claims of this process: while it runs, no other test run on this machine gets their ports. */
const claims: Listener[] = [];

/**
 * A free port for a service that starts later. The system gives it to no outgoing connection until then, and no other worker gets
 * it. To claim it, this process listens at another address of this machine. Some systems have no other address.
 */
export async function findFreePort(): Promise<number> {
  const range = await readFile("/proc/sys/net/ipv4/ip_local_port_range", "utf8").catch(() => "32768");
  const lowest = Math.max(1024, Number.parseInt(range, 10) - Number(process.env.JEST_WORKER_ID) * portsOfAWorker);
  const start = randomInt(portsOfAWorker);
  for (let n = 0; n < portsOfAWorker; n++) {
    const port = lowest + ((start + n) % portsOfAWorker);
    const tried = await tryToListen(port, "127.0.0.1");
    if (typeof tried === "string") continue;
    await new Promise((resolve) => tried.close(resolve));
    const claim = await tryToListen(port, "127.0.0.2");
    if (claim === "EADDRINUSE") continue;
    if (typeof claim !== "string") claims.push(claim.unref());
    return port;
  }
  throw new Error(`no port is free from ${lowest} on`);
}

/** The server, or the code of its failure. */
async function tryToListen(port: number, address: string): Promise<Listener | string> {
  const server = createListener();
  server.listen(port, address);
  return once(server, "listening").then(
    () => server,
    ({ code }: NodeJS.ErrnoException) => String(code),
  );
}
