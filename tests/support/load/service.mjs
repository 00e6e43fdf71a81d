// @ts-check
// A service of tokens on loopback with a clock of its own, a rate limit and connections that fail.
import { createServer } from "node:http";

/** A clock that only waits move, and only while no request is on its way: minutes pass at once. */
export class Clock {
  time = Date.parse("2026-11-21T12:00:00Z");
  underWay = 0;

  now = () => this.time;

  /** @param {number} ms @param {AbortSignal} [signal] */
  sleep = async (ms, signal) => {
    do await new Promise((resolve) => setImmediate(resolve));
    while (this.underWay > 0);
    signal?.throwIfAborted();
    this.time += ms;
  };

  /** For the client: what is on its way. */
  watch = () => {
    this.underWay += 1;
    return () => {
      this.underWay -= 1;
    };
  };
}

/**
 * @typedef {"fixed window" | "sliding window" | "Retry-After, seconds" | "Retry-After, date" | "no header"} LimitKind
 * @typedef {{ kind: LimitKind, most: number, window: number }} Limit at most so many in a window of milliseconds
 */

/** Whether one more may pass, and the headers that say when. @param {Limit} limit @param {Clock} clock */
export function limiter({ kind, most, window }, clock) {
  /** @type {number[]} */
  let passed = [];
  return () => {
    const start = kind === "sliding window" ? clock.time - window : Math.floor(clock.time / window) * window;
    passed = passed.filter((at) => (kind === "sliding window" ? at > start : at >= start));
    const passes = passed.length < most;
    if (passes) passed.push(clock.time);
    const frees = kind === "sliding window" ? (passed[0] ?? clock.time) + window : start + window;
    const after = Math.max(1, Math.ceil((frees - clock.time) / 1000));
    /** @type {Record<string, string>} */
    const headers = { date: new Date(clock.time).toUTCString() };
    if (kind === "fixed window") {
      headers["x-ratelimit-limit"] = String(most);
      headers["x-ratelimit-remaining"] = String(most - passed.length);
      headers["x-ratelimit-reset"] = String(Math.ceil(frees / 1000));
    } else if (!passes && kind !== "no header") {
      headers["retry-after"] =
        kind === "Retry-After, date" ? new Date(clock.time + after * 1000).toUTCString() : String(after);
    }
    return { passes, headers };
  };
}

/**
 * @param {object} options
 * @param {ReturnType<typeof limiter>} [options.limit]
 * @param {() => "before" | "after" | undefined} [options.fault] whether a connection breaks before or after a request is carried out
 */
export async function startTokens({ limit, fault } = {}) {
  /** @type {Map<string, { id: string, name: string }>} */
  const live = new Map();
  const seen = { requests: 0, made: 0, sockets: 0, open: 0 };
  const server = createServer(async (request, response) => {
    seen.requests += 1;
    let body = "";
    for await (const chunk of request) body += chunk;
    const { passes, headers } = limit?.() ?? { passes: true, headers: {} };
    const answer = (/** @type {number} */ status, /** @type {unknown} */ json) => {
      response.writeHead(status, { ...headers, "content-type": "application/json" });
      response.end(JSON.stringify(json));
    };
    if (!passes) return answer(429, { message: "rate limit exceeded" });
    const broken = fault?.();
    if (broken === "before") return request.socket.resetAndDestroy();
    const carried = carryOut(request.method ?? "", request.url ?? "", body);
    if (broken === "after") return request.socket.resetAndDestroy();
    answer(carried.status, carried.json);
  });
  server.on("connection", (socket) => {
    seen.sockets += 1;
    seen.open += 1;
    socket.on("close", () => (seen.open -= 1));
  });
  /** @param {string} method @param {string} url @param {string} body */
  function carryOut(method, url, body) {
    const id = url.split("/")[3] ?? "";
    if (method === "POST") {
      seen.made += 1;
      const token = { ...JSON.parse(body), id: `t${seen.made}` };
      live.set(token.id, token);
      return { status: 200, json: { ...token, token: `xaat-${token.id}` } };
    }
    if (id === "") return { status: 200, json: [...live.values()] };
    const found = live.get(id);
    if (found && method === "DELETE") live.delete(id);
    return found ? { status: 200, json: found } : { status: 404, json: { message: "not found" } };
  }
  await new Promise((resolve) => server.listen(0, "127.0.0.1", () => resolve(undefined)));
  const { port } = /** @type {import("node:net").AddressInfo} */ (server.address());
  return {
    url: `http://127.0.0.1:${port}`,
    live,
    seen,
    stop: () => {
      server.closeAllConnections();
      return new Promise((resolve) => server.close(resolve));
    },
  };
}
