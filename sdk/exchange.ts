import type { Dispatcher } from "undici";
import { BodyReader } from "./bodyReader";

/** The request of one HTTP exchange. Timeouts are in milliseconds; 0 means none of its own. */
export interface ExchangeRequest {
  readonly origin: string;
  readonly path: string;
  readonly method: string;
  readonly headers: Record<string, string>;
  readonly body: string | null;
  readonly maxBytes: number;
  /** Whether its connection ends with it. */
  readonly reset: boolean;
  /** How long the service may stay silent, before its headers as well as between parts of its body. */
  readonly silence: number;
  readonly signal: AbortSignal;
}

/** An answer that arrived whole. */
export interface ExchangeAnswer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string | undefined>>;
  /** When its headers arrived, by `performance.now()`. */
  readonly arrived: number;
  /** As UTF-8, decompressed and without a byte order mark. */
  readonly body: string;
}

/**
 * No whole answer arrived. Keeps of its cause the name and the code alone: a parser's error holds the unparsed answer, in
 * which a secret can be.
 */
export class ExchangeError extends Error {
  override readonly name = "ExchangeError";
  /** Whether any of the request may have left. */
  readonly sent: boolean;
  /** The status, where the headers still arrived. */
  readonly status: number | undefined;
  /** The code of the failure, as in "ECONNRESET". */
  readonly code: string;
  /** The kind of error, as in "SocketError". */
  readonly kind: string;

  constructor(sent: boolean, status: number | undefined, cause: Error) {
    const code = "code" in cause && typeof cause.code === "string" ? cause.code : cause.name;
    super(code);
    this.sent = sent;
    this.status = status;
    this.code = code;
    this.kind = cause.name;
  }
}

const makeError = (code: string): Error => Object.assign(new Error(code), { code });

/**
 * Sends one request and collects the answer. Our own handler rather than undici's `request`, because only a handler
 * learns whether the request was begun on a socket (`onRequestStart`): that decides if a create may be sent again.
 * @throws ExchangeError
 */
export function exchange(dispatcher: Dispatcher, request: ExchangeRequest): Promise<ExchangeAnswer> {
  const { signal, maxBytes, silence, ...options } = request;
  return new Promise((resolve, reject) => {
    let controller: Dispatcher.DispatchController | undefined;
    let head: Omit<ExchangeAnswer, "body"> | undefined;
    let reader: BodyReader | undefined;

    const fail = (cause: Error) => {
      signal.removeEventListener("abort", onAbort);
      reject(new ExchangeError(controller !== undefined, head?.status, cause));
    };
    // Rejects at once, also while still connecting; a connection that comes up later finds the signal aborted.
    const onAbort = () => {
      const reason = makeError("ABORTED");
      fail(reason);
      controller?.abort(reason);
    };
    if (signal.aborted) return onAbort();
    signal.addEventListener("abort", onAbort, { once: true });

    const handler: Dispatcher.DispatchHandler = {
      onRequestStart(started) {
        if (signal.aborted) return started.abort(makeError("ABORTED"));
        // Whether to send again is decided in one place, and not below it.
        if (controller) return started.abort(makeError("SENT_BEFORE"));
        controller = started;
      },
      onResponseStart(_, status, given) {
        if (status < 200) return; // an interim answer; the real one follows
        head = { status, headers: takeHeaders(given), arrived: performance.now() };
        reader = new BodyReader(head.headers["content-encoding"], maxBytes);
      },
      onResponseData(running, chunk) {
        const failure = reader?.add(chunk);
        if (failure) running.abort(failure);
      },
      onResponseEnd() {
        const whole = head;
        if (!whole || !reader) return fail(makeError("NO_RESPONSE"));
        reader.end().then((body) => {
          signal.removeEventListener("abort", onAbort);
          resolve({ ...whole, body });
        }, fail);
      },
      onResponseError: (_, error) => fail(error),
    };
    try {
      dispatcher.dispatch({ ...options, headersTimeout: silence, bodyTimeout: silence }, handler);
    } catch (e) {
      fail(e as Error);
    }
  });
}

/** The first value of each header; all of `Link`, which is a list that may be written as several headers. */
const takeHeaders = (headers: Record<string, string | string[] | undefined>): ExchangeAnswer["headers"] =>
  Object.fromEntries(
    Object.entries(headers).map(([name, value]) => {
      if (!Array.isArray(value)) return [name, value];
      return [name, name === "link" ? value.join(", ") : value[0]];
    }),
  );
