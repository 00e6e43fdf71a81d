import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import type { Socket } from "node:net";
import { listen } from "./listen";

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
