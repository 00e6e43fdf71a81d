import type { Dispatcher } from "undici";
import { BodyReader, makeError } from "./bodyReader";
import { quoteForeignText } from "./foreignText";

/** The request of one HTTP exchange. */
export interface ExchangeRequest {
  readonly origin: string;
  readonly path: string;
  readonly method: string;
  readonly headers: Record<string, string>;
  /** The access token, which no text of a response may repeat. */
  readonly credential: string;
  readonly body: string | null;
  readonly maxBytes: number;
  /** Whether to close the connection after the request. */
  readonly reset: boolean;
  /**
   * How long the service may stay silent, before the headers and between parts of the body, in milliseconds; 0: no
   * limit.
   */
  readonly silence: number;
  readonly signal: AbortSignal;
}

/** A complete response. */
export interface ExchangeResponse {
  readonly status: number;
  readonly headers: Readonly<Record<string, string | undefined>>;
  /** When its headers arrived, according to `performance.now()`. */
  readonly arrived: number;
  /** The service's id of the request, safe to print (extended interface, "Errors and limits"). */
  readonly traceId: string | undefined;
  /** The body as text (UTF-8), decompressed and without a byte order mark. */
  readonly body: string;
}

/**
 * The failure of an exchange without a complete response. It keeps only the name and code of the cause, because the error of a
 * parser contains the unparsed response, which can contain a secret.
 */
export interface FailedExchange {
  /** Whether any part of the request may have been sent. */
  readonly sent: boolean;
  /** The status, if the headers arrived. */
  readonly status: number | undefined;
  readonly traceId: string | undefined;
  /** The code of the failure, such as "ECONNRESET". */
  readonly code: string;
  /** The kind of error, as in "SocketError". */
  readonly kind: string;
}

/**
 * Sends one request and collects the response. Uses a handler instead of undici's `request`, because only a handler
 * learns whether the request was started on a socket (`onRequestStart`): that decides whether a create may be
 * retried.
 */
export function exchange(dispatcher: Dispatcher, request: ExchangeRequest): Promise<ExchangeResponse | FailedExchange> {
  const { signal, maxBytes, silence, credential, ...options } = request;
  return new Promise((resolve) => {
    let controller: Dispatcher.DispatchController | undefined;
    let head: Omit<ExchangeResponse, "body"> | undefined;
    let reader: BodyReader | undefined;

    const fail = (cause: Error) => {
      signal.removeEventListener("abort", onAbort);
      reader?.discard();
      const code = "code" in cause && typeof cause.code === "string" ? cause.code : cause.name;
      const { status, traceId } = head ?? {};
      resolve({ sent: controller !== undefined, status, traceId, code, kind: cause.name });
    };
    // Fails at once, also while connecting; a connection that opens later finds the signal aborted.
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
        // Only the retry policy decides about retries.
        if (controller) return started.abort(makeError("SENT_BEFORE"));
        controller = started;
      },
      onResponseStart(_, status, given) {
        if (status < 200) return; // an interim response; the final one follows
        const headers = takeHeaders(given);
        const trace = quoteForeignText(headers["x-axiom-trace-id"] ?? "", credential).slice(0, 100);
        head = { status, headers, arrived: performance.now(), traceId: trace || undefined };
        reader = new BodyReader(headers["content-encoding"], maxBytes);
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

/** The first value of each header; all values of `Link`, which is a list that may be split into several headers. */
const takeHeaders = (headers: Record<string, string | string[] | undefined>): ExchangeResponse["headers"] =>
  Object.fromEntries(
    Object.entries(headers).map(([name, value]) => {
      if (!Array.isArray(value)) return [name, value];
      return [name, name === "link" ? value.join(", ") : value[0]];
    }),
  );
