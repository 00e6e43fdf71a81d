import {
  afterwards,
  answer,
  answerText,
  brokenChunks,
  bytes,
  close,
  cut,
  cutChunked,
  drip,
  earlyHints,
  endless,
  garbled,
  gzipped,
  headersOnly,
  pass,
  relabelled,
  reset,
  resetIfReused,
  staySilent,
  truncate,
} from "./behaviours";
import type { Behaviour } from "./proxy";

/**
 * The effect of a fault, in whatever form it comes:
 * - `lost`: the request left and no answer came, or the service says that it does not know;
 * - `silent`: nothing comes for longer than a call may be silent; `late`: it comes, but too slowly for the deadline;
 * - `unusable`: a whole answer that is not the service's;
 * - `refused`: a no, and nothing was done;
 * - `limited`: a no for now (429);
 * - `fine`: nothing is wrong.
 */
export type Effect = "lost" | "silent" | "late" | "unusable" | "refused" | "limited" | "fine";

export interface Row {
  readonly name: string;
  readonly effect: Effect;
  readonly behaviour: Behaviour;
  /** Whether the service carried the request out before it went wrong. */
  readonly carriedOut: boolean;
  /** Whether it takes an answer with a body. */
  readonly needsBody?: boolean;
  /** How many requests it takes until a wait would be longer than anybody waits. */
  readonly requests?: number;
}

/** Whether time has to pass before a request that meets the fault is over. */
export const holdsRequests = ({ effect }: Row): boolean => effect === "silent" || effect === "late";

const row = (name: string, effect: Effect, behaviour: Behaviour, carriedOut = false): Row => ({
  name,
  effect,
  behaviour,
  carriedOut,
});
const bodyRow = (...args: Parameters<typeof row>): Row => ({ ...row(...args), needsBody: true });

/** Waits begin with what the service asks for, and double; those of a service that never relents may not be longer than 5 min. */
const limited = (name: string, requests: number, headers: (now: number) => Record<string, string>): Row => ({
  ...row(`status 429, ${name}`, "limited", (exchange) => {
    const now = Math.floor(Date.now() / 1000);
    const date = new Date(now * 1000).toUTCString();
    return answer(429, { message: "rate limit exceeded" }, { date, ...headers(now) })(exchange);
  }),
  requests,
});

const page = "<!doctype html><title>Sign in</title>";

const statuses = (effect: Effect, ...list: readonly number[]): Row[] =>
  list.map((status) => row(`status ${status}`, effect, answer(status)));

/** The faults of requests that arrive. */
export const rows: readonly Row[] = [
  row("nothing", "fine", pass, true),
  row("interim answer 103 before the real one", "fine", earlyHints, true),
  bodyRow("compressed, though nobody asked for it", "fine", gzipped, true),
  row("charset in the content type", "fine", relabelled("application/json; charset=utf-8"), true),

  row("reset when the request is there", "lost", reset),
  row("reset after it was carried out", "lost", afterwards(reset), true),
  row("closed when the request is there", "lost", close),
  row("closed after it was carried out", "lost", afterwards(close), true),
  bodyRow("cut in the body", "lost", cut, true),
  bodyRow("cut in a chunked body", "lost", cutChunked, true),
  row("bytes that are not HTTP", "lost", bytes("220 mail.example ESMTP\r\n")),
  row(
    "bytes that are not HTTP, after it was carried out",
    "lost",
    afterwards(bytes("\u0000\u0001\u0002\r\n\r\n")),
    true,
  ),
  row("broken chunk lengths", "lost", bytes("HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\nzz\r\n")),
  bodyRow("answer with a broken status line", "lost", garbled, true),
  bodyRow("answer in broken chunks", "lost", brokenChunks, true),
  row("headers of 100 KB", "lost", bytes(`HTTP/1.1 200 OK\r\nx: ${"x".repeat(100_000)}\r\n\r\n`)),
  ...statuses("lost", 408, 500, 501, 502, 503, 504, 507, 520, 522, 524, 599),
  row("status 500 after it was carried out", "lost", afterwards(answer(500)), true),
  row("status 504 after it was carried out", "lost", afterwards(answer(504)), true),
  row(
    "status 502 with a web page",
    "lost",
    ({ response }) => void response.writeHead(502, { "content-type": "text/html" }).end(page),
  ),
  row("status 503, Retry-After: 1", "lost", answer(503, {}, { "retry-after": "1" })),
  row(
    "status 503, Retry-After: a past date",
    "lost",
    answer(503, {}, { "retry-after": "Fri, 20 Nov 2026 00:00:00 GMT" }),
  ),
  row("status 503, Retry-After: nonsense", "lost", answer(503, {}, { "retry-after": "soon" })),

  limited("without a time", 10, () => ({})),
  limited("Retry-After: 120", 3, () => ({ "retry-after": "120" })),
  limited("Retry-After: a date in 2 min", 3, (now) => ({
    "retry-after": new Date((now + 120) * 1000).toUTCString(),
  })),
  limited("fixed window that ends in 70 s", 5, (now) => ({
    "x-ratelimit-limit": "60",
    "x-ratelimit-remaining": "0",
    "x-ratelimit-reset": String(now + 70),
  })),
  limited("sliding window that always ends in 1 s", 10, (now) => ({
    "x-ratelimit-limit": "60",
    "x-ratelimit-remaining": "0",
    "x-ratelimit-reset": String(now + 1),
  })),
  row("status 429, Retry-After: 3600", "refused", answer(429, {}, { "retry-after": "3600" })),
  row("HTTP/2 frames", "lost", bytes("\u0000\u0000\u0000\u0004\u0000\u0000\u0000\u0000\u0000")),

  row("no answer", "silent", staySilent),
  row("no answer after it was carried out", "silent", afterwards(staySilent), true),
  row("headers, and then nothing", "silent", headersOnly),
  row("a byte now and then", "late", drip, true),

  bodyRow("half of the JSON", "unusable", truncate, true),
  bodyRow("JSON labelled text/plain", "unusable", relabelled("text/plain"), true),
  row("web page", "unusable", answerText("text/html", page)),
  row("web page after it was carried out", "unusable", afterwards(answerText("text/html", page)), true),
  row("web page labelled JSON", "unusable", answerText("application/json", page)),
  bodyRow("empty body", "unusable", answerText("application/json", "")),
  bodyRow("no content", "unusable", ({ response }) => void response.writeHead(204).end()),
  bodyRow("JSON null", "unusable", answer(200, null)),
  bodyRow("JSON text", "unusable", answer(200, "ok")),
  bodyRow("JSON number", "unusable", answer(200, 200)),
  bodyRow("JSON of another shape", "unusable", answer(200, { data: [{ id: 1 }] })),
  bodyRow("body without end", "unusable", endless),
  row("web page without a content type", "unusable", answerText(undefined, page)),

  ...[301, 302, 303, 307, 308].map((status) =>
    row(`redirect ${status}`, "refused", answer(status, {}, { location: "/v2/elsewhere" })),
  ),
  ...statuses("refused", 304, 400, 401, 402, 403, 404, 405, 409, 410, 413, 415, 418, 422, 423, 430, 431, 451),
  row(
    "status 404 with a web page",
    "refused",
    ({ response }) => void response.writeHead(404, { "content-type": "text/html" }).end(page),
  ),
  row("status 403 with a message of 50 KB", "refused", answer(403, { message: "x".repeat(50_000) })),
];

/** The same, but only the first request meets the fault. */
export const onceRows: readonly Row[] = [
  ...rows.filter(({ effect }) => effect === "lost" || effect === "limited"),
  row("idle connection closed as the request goes out", "fine", resetIfReused, true),
];
