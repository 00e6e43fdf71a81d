import { randomBytes } from "node:crypto";
import { createServer, type IncomingMessage, type Server, type ServerResponse, STATUS_CODES } from "node:http";
import type { AddressInfo, Socket } from "node:net";
import { defined } from "./apl/defined";
import { isQueryError } from "./apl/errors";
import { authenticate, authorize, nobody } from "./auth";
import { noBody, readJson, readRaw } from "./body";
import { type FaultPlan, respondWith } from "./faults";
import { HttpError } from "./httpError";
import { isForeign, isLoopback } from "./origins";
import { refusalOf } from "./queryRefusal";
import type { RateLimit } from "./rateLimit";
import type { RecentRequests, Recording } from "./recentRequests";
import { type HandlerResult, type Match, match, type Reply, type Route, type Service } from "./routing";

/** A request in the call log. */
export interface LoggedCall {
  readonly method: string;
  /** The first 1,000 characters of the request target as it was sent, query string included. */
  readonly path: string;
  /** Undefined before the response, and if the connection was cut before a response. */
  readonly status: number | undefined;
}

/** The parts of a server. */
export interface ServerParts {
  readonly service: Service;
  readonly routes: readonly Route[];
  readonly rootHash: Buffer;
  readonly faults: FaultPlan;
  readonly recent: RecentRequests;
  /** Undefined if there is no limit. */
  readonly rateLimit: RateLimit | undefined;
  /** Whether each response has a unique `X-Axiom-Trace-Id`, as in Axiom. */
  readonly traces: boolean;
  /** Called with failures of which the caller sees only the status 500. */
  readonly onFailure: (failure: Error) => void;
}

/** How long a request under way may take when the server closes. */
const defaultGraceMs = 5_000;
/** The call log of a server that runs for days must not fill the memory. */
const maxLoggedCalls = 100_000;
const maxLoggedPath = 1_000;

/** A slice of a text keeps all of it in memory, so this copies. */
const copyStart = (path: string): string =>
  path.length <= maxLoggedPath ? path : `${Buffer.from(path.slice(0, maxLoggedPath)).toString()}…`;

/** HTTP on loopback: passes requests to handlers and sends their results. */
export class EmulatorServer {
  readonly calls: LoggedCall[] = [];
  readonly #parts: ServerParts;
  readonly #server: Server;
  readonly #closing = new AbortController();

  constructor(parts: ServerParts) {
    this.#parts = parts;
    // Node.js' own response to a missing Host header has no JSON body; the check below covers that case.
    this.#server = createServer({ requireHostHeader: false, requestTimeout: 60_000 }, (request, response) => {
      // Checked first, so that a refused request uses up no limit and leaves no trace.
      const refusal = refusalOfStrangers(request);
      if (refusal) this.#reply(response, {}).send(responseTo(refusal));
      else void this.#serve(request, response);
    });
    this.#server.on("clientError", refuseMalformed);
  }

  async listen(port: number): Promise<string> {
    await new Promise<void>((resolve, reject) => {
      this.#server.once("error", reject);
      this.#server.listen(port, "127.0.0.1", resolve);
    });
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}`;
  }

  /** Accepts no more requests, and lets the running requests finish. */
  async close(graceMs = defaultGraceMs): Promise<void> {
    this.#closing.abort();
    const closed = new Promise((resolve) => this.#server.close(resolve));
    if (graceMs === 0) this.#server.closeAllConnections();
    const limit = setTimeout(() => this.#server.closeAllConnections(), graceMs);
    await closed;
    clearTimeout(limit);
  }

  async #serve(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const { method = "", url = "" } = request;
    const gone = new AbortController();
    response.once("close", () => gone.abort());
    const found = this.#find(method, url);
    // Requests of the page are not logged and not limited, and they get no faults.
    if ("route" in found && found.route.isPage) {
      this.#reply(response, {}).send(await this.#carryOut(request, found, gone.signal));
      return;
    }
    const call: { -readonly [K in keyof LoggedCall]: LoggedCall[K] } = {
      method,
      path: copyStart(url),
      status: undefined,
    };
    this.calls.push(call);
    if (this.calls.length > maxLoggedCalls) this.calls.shift();
    const recording = this.#parts.recent.start(method, url);
    response.once("close", () => recording.noteEnd());
    const quota = this.#parts.rateLimit?.take();
    const trace = this.#parts.traces && { "x-axiom-trace-id": randomBytes(16).toString("hex") };
    const reply = this.#reply(response, { ...quota?.headers, ...trace }, (status) => {
      call.status = status;
      recording.note({ status });
    });
    const carryOut = async () =>
      quota?.allowed === false
        ? { status: 429, body: { message: "rate limit exceeded" } }
        : await this.#carryOut(request, found, gone.signal, recording);
    const fault = this.#parts.faults.take(method, url);
    try {
      if (fault) await respondWith(fault, reply, carryOut, this.#closing.signal);
      else reply.send(await carryOut());
    } catch (failure) {
      if (!this.#closing.signal.aborted) this.#parts.onFailure(failure as Error);
      reply.close();
    }
  }

  #find(method: string, url: string): Match | Error {
    try {
      return match(this.#parts.routes, method, url);
    } catch (failure) {
      return failure as Error;
    }
  }

  #reply(
    response: ServerResponse,
    common: Readonly<Record<string, string>>,
    noteStatus: (status: number) => void = () => undefined,
  ): Reply {
    return {
      send: ({ status, body, json, content, headers }) => {
        const text = json ?? (body === undefined ? undefined : Buffer.from(JSON.stringify(body)));
        const { type, bytes } = content ?? { type: "application/json", bytes: text };
        response.writeHead(status, {
          // Responses may contain a secret, which no cache may keep.
          "cache-control": "no-store",
          // A connection that is kept open would keep a closing server waiting.
          ...(this.#closing.signal.aborted && { connection: "close" }),
          ...common,
          ...(bytes && { "content-type": type, "content-length": bytes.length }),
          ...headers,
        });
        noteStatus(status);
        response.end(bytes);
      },
      close: () => response.destroy(),
    };
  }

  /** Does not reject if the service refuses the request. */
  async #carryOut(
    request: IncomingMessage,
    found: Match | Error,
    signal: AbortSignal,
    recording?: Recording,
  ): Promise<HandlerResult> {
    try {
      if (found instanceof Error) throw found;
      return await this.#handle(request, found, signal, recording);
    } catch (given) {
      const failure = isQueryError(given) ? refusalOf(given) : given;
      if (failure instanceof HttpError) {
        recording?.note({ message: failure.message });
        return responseTo(failure);
      }
      this.#parts.onFailure(failure as Error);
      return { status: 500, body: { code: 500, message: "internal error" } };
    }
  }

  /** @throws HttpError */
  async #handle(
    request: IncomingMessage,
    { route, params, query }: Match,
    signal: AbortSignal,
    recording?: Recording,
  ): Promise<HandlerResult> {
    const { service, rootHash } = this.#parts;
    const { access } = route;
    let caller = nobody;
    if (access !== "anyone") {
      caller = authenticate(request.headers.authorization, rootHash, service.store, service.now());
      recording?.note({ caller });
      authorize(caller, access, params.id);
    }
    const raw = route.raw ? await readRaw(request, route.raw.maxBytes) : noBody;
    const sent = route.body ? await readJson(request, route.body.maxBytes) : {};
    const body = route.body?.read?.(sent) ?? sent;
    return route.handler(service, { params, query, body, raw, caller, signal });
  }
}

/** Refuses what a web page could send in the name of somebody who has it open. */
function refusalOfStrangers({ headers, url = "" }: IncomingMessage): HttpError | undefined {
  // 421, not 403: the request was meant for another host, and 403 is what a missing capability gets.
  if (!isLoopback(headers.host)) return new HttpError(421, "the Host header must name this machine: localhost");
  return isForeign(headers, url) ? new HttpError(403, "a web page of another origin sent this") : undefined;
}

const responseTo = ({ status, message, headers, detail }: HttpError): HandlerResult => ({
  status,
  headers,
  body: { code: status, message, ...defined({ detail }) },
});

/** Responds in JSON to bytes that Node's parser refuses: they never become a request. */
function refuseMalformed(failure: NodeJS.ErrnoException, socket: Socket): void {
  if (!socket.writable || failure.code === "ECONNRESET") {
    socket.destroy();
    return;
  }
  const statuses: Record<string, number> = { HPE_HEADER_OVERFLOW: 431, ERR_HTTP_REQUEST_TIMEOUT: 408 };
  const code = statuses[failure.code ?? ""] ?? 400;
  const body = JSON.stringify({ code, message: "not a valid HTTP request" });
  const headers = [
    `HTTP/1.1 ${code} ${STATUS_CODES[code]}`,
    "connection: close",
    "content-type: application/json",
    `content-length: ${body.length}`,
  ];
  socket.end(`${headers.join("\r\n")}\r\n\r\n${body}`);
}
