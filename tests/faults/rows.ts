import {
  close,
  compressBody,
  cut,
  drip,
  garbleStatusLine,
  pass,
  relabel,
  reset,
  resetIfReused,
  respond,
  respondText,
  runAfterRequest,
  sendBrokenChunks,
  sendBytes,
  sendEndlessBody,
  sendHeadersOnly,
  staySilent,
  truncate,
} from "./behaviours";
import type { Behaviour } from "./proxy";

/**
 * The effect of a fault:
 * - `lost`: the request left and no response came, or the service reports that it does not know the result;
 * - `silent`: nothing arrives for longer than a call may be silent; `late`: data arrives, but too slowly for the deadline;
 * - `unusable`: a complete response that is not the service's;
 * - `refused`: a refusal, and nothing was done;
 * - `limited`: a temporary refusal (429);
 * - `fine`: no failure.
 */
export type Effect = "lost" | "silent" | "late" | "unusable" | "refused" | "limited" | "fine";

export interface Row {
  readonly name: string;
  readonly effect: Effect;
  readonly behaviour: Behaviour;
  /** Whether the service carried out the request before the fault. */
  readonly carriedOut: boolean;
  /** Whether the fault needs a response with a body. */
  readonly needsBody?: boolean;
  /** The number of requests until the next wait would be too long. */
  readonly requests?: number;
  /** The same for a query, which waits no longer than its deadline. */
  readonly queryRequests?: number;
}

/** Whether a request with this fault ends only when time passes. */
export const holdsRequests = ({ effect }: Row): boolean => effect === "silent" || effect === "late";

const row = (name: string, effect: Effect, behaviour: Behaviour, carriedOut = false): Row => ({
  name,
  effect,
  behaviour,
  carriedOut,
});
const bodyRow = (...args: Parameters<typeof row>): Row => ({ ...row(...args), needsBody: true });

/** Waits start with the time that the service asks for, and double. All waits together may take 5 min, of a query 2 min at most. */
const limitRow = (
  name: string,
  [requests, queryRequests]: readonly [number, number],
  headers: (now: number) => Record<string, string>,
): Row => ({
  ...row(`status 429, ${name}`, "limited", (exchange) => {
    const now = Math.floor(Date.now() / 1000);
    const date = new Date(now * 1000).toUTCString();
    return respond(429, { message: "rate limit exceeded" }, { date, ...headers(now) })(exchange);
  }),
  requests,
  queryRequests,
});

const page = "<!doctype html><title>Sign in</title>";

const statuses = (effect: Effect, ...list: readonly number[]): Row[] =>
  list.map((status) => row(`status ${status}`, effect, respond(status)));

/** The faults of requests that arrive. */
const rows: readonly Row[] = [
  row("nothing", "fine", pass, true),
  bodyRow("compressed without being requested", "fine", compressBody, true),
  row("charset in the content type", "fine", relabel("application/json; charset=utf-8"), true),

  row("reset before the request is carried out", "lost", reset),
  row("reset after the request was carried out", "lost", runAfterRequest(reset), true),
  row("closed before the request is carried out", "lost", close),
  row("closed after the request was carried out", "lost", runAfterRequest(close), true),
  bodyRow("cut in the body", "lost", cut, true),
  row("bytes that are not HTTP", "lost", sendBytes("220 mail.example ESMTP\r\n")),
  row(
    "bytes that are not HTTP, after the request was carried out",
    "lost",
    runAfterRequest(sendBytes("\u0000\u0001\u0002\r\n\r\n")),
    true,
  ),
  row("broken chunk lengths", "lost", sendBytes("HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\nzz\r\n")),
  bodyRow("response with a broken status line", "lost", garbleStatusLine, true),
  bodyRow("response in broken chunks", "lost", sendBrokenChunks, true),
  row("headers of 100 KB", "lost", sendBytes(`HTTP/1.1 200 OK\r\nx: ${"x".repeat(100_000)}\r\n\r\n`)),
  ...statuses("lost", 408, 500, 501, 502, 503, 504, 507, 520, 522, 524, 599),
  row("status 500 after the request was carried out", "lost", runAfterRequest(respond(500)), true),
  row(
    "status 502 with a web page",
    "lost",
    ({ response }) => void response.writeHead(502, { "content-type": "text/html" }).end(page),
  ),
  row("status 503, Retry-After: 1", "lost", respond(503, {}, { "retry-after": "1" })),
  row("status 503, Retry-After: nonsense", "lost", respond(503, {}, { "retry-after": "soon" })),

  limitRow("without a time", [10, 7], () => ({})),
  limitRow("Retry-After: 120", [3, 2], () => ({ "retry-after": "120" })),
  limitRow("fixed window for another 70 s", [5, 2], (now) => ({
    "x-ratelimit-limit": "60",
    "x-ratelimit-remaining": "0",
    "x-ratelimit-reset": String(now + 70),
  })),
  limitRow("sliding window, always another 1 s", [10, 7], (now) => ({
    "x-ratelimit-limit": "60",
    "x-ratelimit-remaining": "0",
    "x-ratelimit-reset": String(now + 1),
  })),
  row("status 429, Retry-After: 3600", "refused", respond(429, {}, { "retry-after": "3600" })),

  row("no response", "silent", staySilent),
  row("no response after the request was carried out", "silent", runAfterRequest(staySilent), true),
  row("headers without a body", "silent", sendHeadersOnly),
  row("one byte at a time, past the deadline", "late", drip, true),

  bodyRow("half of the JSON", "unusable", truncate, true),
  bodyRow("JSON labelled text/plain", "unusable", relabel("text/plain"), true),
  row("web page", "unusable", respondText("text/html", page)),
  row("web page after the request was carried out", "unusable", runAfterRequest(respondText("text/html", page)), true),
  row("web page labelled JSON", "unusable", respondText("application/json", page)),
  bodyRow("empty body", "unusable", respondText("application/json", "")),
  bodyRow("no content", "unusable", ({ response }) => void response.writeHead(204).end()),
  bodyRow("JSON null", "unusable", respond(200, null)),
  bodyRow("JSON text", "unusable", respond(200, "ok")),
  bodyRow("JSON number", "unusable", respond(200, 200)),
  bodyRow("JSON of another shape", "unusable", respond(200, { data: [{ id: 1 }] })),
  bodyRow("endless body", "unusable", sendEndlessBody),
  row("web page without a content type", "unusable", respondText(undefined, page)),

  ...[301, 302, 303, 307, 308].map((status) =>
    row(`redirect ${status}`, "refused", respond(status, {}, { location: "/v2/elsewhere" })),
  ),
  ...statuses("refused", 304, 400, 401, 402, 403, 404, 405, 409, 410, 413, 415, 418, 422, 423, 430, 431, 451),
  row(
    "status 404 with a web page",
    "refused",
    ({ response }) => void response.writeHead(404, { "content-type": "text/html" }).end(page),
  ),
  row("status 403 with a message of 50 KB", "refused", respond(403, { message: "x".repeat(50_000) })),
];

/** A fault that every request meets, or only the first one. */
export interface Fault {
  readonly row: Row;
  readonly once: boolean;
}

export const faults: readonly Fault[] = [
  ...rows.map((row) => ({ row, once: false })),
  ...rows.filter(({ effect }) => effect === "lost" || effect === "limited").map((row) => ({ row, once: true })),
  { row: row("idle connection closed when the request is sent", "fine", resetIfReused, true), once: true },
];

/** Whether a request can meet a fault: the response to a deletion has no body. */
export const canMeet = ({ row }: Fault, request: string): boolean => !(row.needsBody && request.startsWith("DELETE"));

export const nameFault = ({ row, once }: Fault): string => `${row.name}${once ? ", once" : ""}`;
