import { StringDecoder } from "node:string_decoder";
import type { Dispatcher } from "undici";

/** What one HTTP exchange needs. Timeouts are in milliseconds; 0 means none of its own. */
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
  /** As UTF-8. */
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
  /** What went wrong, as in "ECONNRESET". */
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

/** The answer outgrew `maxBytes`. */
export const tooLargeCode = "ANSWER_TOO_LARGE";

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
    let status: number | undefined;
    let headers: ExchangeAnswer["headers"] = {};
    let size = 0;
    // Decoded as they arrive: bytes and text of a large answer are never there at the same time.
    const decoder = new StringDecoder("utf8");
    const parts: string[] = [];

    const fail = (cause: Error) => {
      signal.removeEventListener("abort", onAbort);
      reject(new ExchangeError(controller !== undefined, status, cause));
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
      onResponseStart(_, statusCode, answerHeaders) {
        if (statusCode < 200) return; // an interim answer; the real one follows
        status = statusCode;
        headers = takeFirstValues(answerHeaders);
      },
      onResponseData(running, chunk) {
        size += chunk.length;
        if (size > maxBytes) return running.abort(makeError(tooLargeCode));
        parts.push(decoder.write(chunk));
      },
      onResponseEnd() {
        signal.removeEventListener("abort", onAbort);
        parts.push(decoder.end());
        resolve({ status: status ?? 0, headers, body: parts.splice(0).join("") });
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

const takeFirstValues = (headers: Record<string, string | string[] | undefined>): ExchangeAnswer["headers"] =>
  Object.fromEntries(Object.entries(headers).map(([name, value]) => [name, Array.isArray(value) ? value[0] : value]));
