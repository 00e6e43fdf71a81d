import { once } from "node:events";
import { createServer, type IncomingHttpHeaders, type Server, type ServerResponse } from "node:http";
import type { AddressInfo, Socket } from "node:net";
import { type Dispatcher, request } from "undici";

/** A response of the service. */
export interface ServiceResponse {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Buffer;
}

/** A complete request. */
export interface Request {
  readonly method: string;
  /** With its query string. */
  readonly target: string;
  readonly headers: IncomingHttpHeaders;
  readonly body: Buffer;
}

/** Carries a request out. */
export type Upstream = (request: Request) => Promise<ServiceResponse>;

/** A request that a fault handles. */
export interface Exchange {
  readonly request: Request;
  readonly response: ServerResponse;
  readonly socket: Socket;
  /** Whether another request came over this connection before. */
  readonly reused: boolean;
  /** Lets the service carry out the request. The fault decides whether to pass on the response. */
  readonly carryOut: () => Promise<ServiceResponse>;
}

/** The fate of a request. */
export type Behaviour = (exchange: Exchange) => void | Promise<void>;

/** A fault and the requests that it meets. */
export interface Injected {
  readonly behaviour: Behaviour;
  readonly meets: (method: string, path: string) => boolean;
  /** How many of these requests; the others pass. */
  readonly times: number;
}

/** An HTTP proxy on loopback that simulates faults of networks and services, and counts requests. */
export class FaultProxy implements AsyncDisposable {
  /** "POST /v2/tokens" for each request that arrived with its headers, in order. */
  readonly calls: string[] = [];
  /** The same for each request that was carried out, with the status of the response. */
  readonly carriedOut: string[] = [];
  /** Every secret in a response, also if a fault then spoiled the response. */
  readonly minted: string[] = [];
  readonly #upstream: Upstream;
  readonly #injected: Injected | undefined;
  readonly #server: Server;
  readonly #sockets = new Map<Socket, number>();
  #left: number;
  #port: number;

  private constructor(upstream: Upstream, injected: Injected | undefined, port: number) {
    this.#port = port;
    this.#upstream = upstream;
    this.#injected = injected;
    this.#left = injected?.times ?? 0;
    this.#server = createServer({ keepAliveTimeout: 60_000 }, (request, response) => {
      const { method = "", url = "", headers, socket } = request;
      this.calls.push(`${method} ${url}`);
      const before = this.#sockets.get(socket) ?? 0;
      this.#sockets.set(socket, before + 1);
      const chunks: Buffer[] = [];
      request.on("data", (chunk: Buffer) => chunks.push(chunk));
      request.on("end", () => {
        const whole = { method, target: url, headers, body: Buffer.concat(chunks) };
        void this.#serve({
          request: whole,
          response,
          socket,
          reused: before > 0,
          carryOut: () => this.#carryOut(whole),
        }).catch(() => socket.destroy());
      });
    });
    this.#server.on("connection", (socket) => {
      this.#sockets.set(socket, 0);
      socket.on("close", () => this.#sockets.delete(socket));
      socket.on("error", () => undefined); // the peer may disconnect
    });
  }

  /** @param port any free one if not given. A proxy that stops needs one of `findFreePort`, or it may lose its port. */
  static async start(upstream: Upstream, injected?: Injected, port = 0): Promise<FaultProxy> {
    const proxy = new FaultProxy(upstream, injected, port);
    await proxy.listen();
    return proxy;
  }

  get url(): string {
    return `http://127.0.0.1:${this.#port}`;
  }

  /** Accepts connections, on the same port after a `stop`. */
  async listen(): Promise<void> {
    const listening = once(this.#server, "listening");
    this.#server.listen(this.#port, "127.0.0.1");
    await listening;
    this.#port = (this.#server.address() as AddressInfo).port;
  }

  /** Closes every connection and accepts no more, like a service that restarts. */
  async stop(): Promise<void> {
    const closed = new Promise((resolve) => this.#server.close(resolve));
    for (const socket of this.#sockets.keys()) socket.destroy();
    await closed;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    if (this.#server.listening) await this.stop();
  }

  async #serve(exchange: Exchange): Promise<void> {
    const { method, target } = exchange.request;
    const path = target.replace(/\?.*/s, "");
    if (this.#left > 0 && this.#injected?.meets(method, path)) {
      this.#left -= 1;
      await this.#injected.behaviour(exchange);
    } else {
      const { status, headers, body } = await exchange.carryOut();
      exchange.response.writeHead(status, headers).end(body);
    }
  }

  async #carryOut(request: Request): Promise<ServiceResponse> {
    const response = await this.#upstream(request);
    this.carriedOut.push(`${request.method} ${request.target} ${response.status}`);
    const secret = request.method === "POST" ? /"token":"([^"]+)"/.exec(response.body.toString())?.[1] : undefined;
    if (secret !== undefined) this.minted.push(secret);
    return response;
  }
}

/**
 * Forwards requests to a service. Not with `fetch`, which would double the time of a request. The service closes idle connections, and
 * a request that meets that would be lost, so each one has a connection of its own.
 */
export const forwardTo =
  (url: string): Upstream =>
  async ({ method, target, headers, body }) => {
    const passed = ["authorization", "content-type", "accept"].flatMap((name) => {
      const value = headers[name];
      return typeof value === "string" ? [[name, value] as const] : [];
    });
    const response = await request(`${url}${target}`, {
      method: method as Dispatcher.HttpMethod,
      headers: Object.fromEntries(passed),
      reset: true,
      ...(body.length > 0 ? { body } : {}),
    });
    const type = response.headers["content-type"];
    return {
      status: response.statusCode,
      headers: typeof type === "string" ? { "content-type": type } : {},
      body: Buffer.from(await response.body.arrayBuffer()),
    };
  };

/** A service whose queries get these responses, without its query engine. */
export function upstreamOf(url: string, answerOf: (target: string) => string): Upstream {
  const forward = forwardTo(url);
  const headers = { "content-type": "application/json" };
  return async (request) =>
    request.target.startsWith("/v1/datasets/")
      ? { status: 200, headers, body: Buffer.from(answerOf(request.target)) }
      : forward(request);
}

/** Whether a request is the one that a line such as "GET /v2/tokens/*" names; the `*` stands for what is not empty. */
export function requestMatcher(line: string): (method: string, path: string) => boolean {
  const [wanted, pattern = ""] = line.split(" ");
  const [start = "", end] = pattern.split("*");
  return (method, path) =>
    method === wanted &&
    (end === undefined ? path === pattern : path.length > start.length && path.startsWith(start) && path.endsWith(end));
}
