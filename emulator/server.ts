import { randomBytes } from "node:crypto";
import { createServer, type IncomingMessage, type Server, type ServerResponse, STATUS_CODES } from "node:http";
import type { AddressInfo, Socket } from "node:net";
import { defined } from "./apl";
import { authenticate, authorize, nobody } from "./auth";
import { noBody, readJson, readRaw } from "./body";
import { answerWith, type FaultPlan } from "./faults";
import { HttpError } from "./httpError";
import type { RateLimit } from "./rateLimit";
import { type LoggedCall, Reply } from "./reply";
import { type Answer, match, type Route, type Service } from "./routing";

/** What the server serves. */
export interface ServerParts {
  readonly service: Service;
  readonly routes: readonly Route[];
  readonly rootHash: Buffer;
  readonly faults: FaultPlan;
  /** Undefined where there is no limit. */
  readonly rateLimit: () => RateLimit | undefined;
  /** Whether each answer has a number of its own, `X-Axiom-Trace-Id`, as the public service's answers have. */
  readonly traces: boolean;
  /** Hears of failures that the caller is told nothing about but a status of 500. */
  readonly onFailure: (failure: Error) => void;
}

/** How long a request under way may take when the server closes. */
const defaultGraceMs = 5_000;
/** The call log of a server that runs for days must not fill the memory. */
const maxLoggedCalls = 100_000;

/** HTTP on loopback: from a request to a handler's answer. */
export class EmulatorServer {
  readonly calls: LoggedCall[] = [];
  readonly #parts: ServerParts;
  readonly #server: Server;
  readonly #closing = new AbortController();

  constructor(parts: ServerParts) {
    this.#parts = parts;
    // Node's own answer to a missing Host header has no JSON body; the check below covers that case.
    this.#server = createServer({ requireHostHeader: false, requestTimeout: 60_000 }, (request, response) => {
      void this.#serve(request, response);
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

  /** Takes no more requests, and lets those under way finish. */
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
    const call: { method: string; path: string; status: number | undefined } = { method, path: url, status: undefined };
    this.calls.push(call);
    if (this.calls.length > maxLoggedCalls) this.calls.shift();

    const quota = this.#parts.rateLimit()?.take();
    // A connection that is kept open would keep a closing server waiting.
    const trace = this.#parts.traces && { "x-axiom-trace-id": randomBytes(16).toString("hex") };
    const headers = () => ({
      ...quota?.headers,
      ...trace,
      ...defined({ connection: this.#closing.signal.aborted ? "close" : undefined }),
    });
    const started = (status: number) => {
      call.status = status;
    };
    const reply = new Reply(response, started, headers);
    const gone = new AbortController();
    response.once("close", () => gone.abort());
    const carryOut = () =>
      quota?.allowed === false
        ? Promise.resolve({ status: 429, body: { message: "rate limit exceeded" } })
        : this.#answer(request, gone.signal).catch((failure: Error) => this.#refusal(failure));

    const fault = isLoopback(request.headers.host) ? this.#parts.faults.take(method, url) : undefined;
    try {
      if (fault) await answerWith(fault, reply, carryOut, this.#closing.signal);
      else reply.send(await carryOut());
    } catch (failure) {
      if (!this.#closing.signal.aborted) this.#parts.onFailure(failure as Error);
      reply.close();
    }
  }

  /** @throws HttpError */
  async #answer(request: IncomingMessage, signal: AbortSignal): Promise<Answer> {
    // 421, not 403: the request was meant for another host, and 403 is what a missing capability gets. Without this check
    // a web page could reach the server through a host name of its own that resolves to 127.0.0.1.
    if (!isLoopback(request.headers.host))
      throw new HttpError(421, "the Host header must name this machine: localhost");
    const { service, routes, rootHash } = this.#parts;
    const { route, params, query } = match(routes, request.method ?? "", request.url ?? "");
    const { access } = route;
    let caller = nobody;
    if (access !== "anyone") {
      caller = authenticate(request.headers.authorization, rootHash, service.store, service.now());
      authorize(caller, access);
    }
    const raw = route.raw ? await readRaw(request, route.raw.maxBytes) : noBody;
    const body = route.body ? await readJson(request, route.body.maxBytes) : {};
    return route.handler(service, { params, query, body, raw, caller, signal });
  }

  #refusal(failure: Error): Answer {
    if (failure instanceof HttpError) {
      const { status, message, headers, detail } = failure;
      return { status, headers, body: { code: status, message, ...defined({ detail }) } };
    }
    this.#parts.onFailure(failure);
    return { status: 500, body: { code: 500, message: "internal error" } };
  }
}

const isLoopback = (host: string | undefined): boolean => /^(localhost|127\.0\.0\.1|\[::1\])(:\d+)?$/i.test(host ?? "");

/** What Node's parser refuses never becomes a request; its answer is JSON all the same. */
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
