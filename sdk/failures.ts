import { AsyncLocalStorage } from "node:async_hooks";
import { defined } from "../values/defined";
import { quoteForeignText } from "../values/foreignText";
import { isObject } from "../values/json";
import { adviseOn } from "./advice";
import { tooLargeCode, unknownEncodingCode } from "./bodyReader";
import { ApiError } from "./errors";
import type { ExchangeAnswer, ExchangeError } from "./exchange";
import type { CheckedRequest } from "./requests";
import type { Settings } from "./settings";

/** A failed attempt with the error to throw if it was the last one. */
export interface FailedCall {
  readonly error: ApiError;
  /** Whether sending again is safe and makes sense. */
  readonly retryable: boolean;
  /** The wait that the service asked for, in milliseconds. */
  readonly retryAfter?: number | undefined;
}

/** The parts of a call that its failures depend on. */
export interface FailingCall extends Omit<CheckedRequest, "search"> {
  /** Method and path. */
  readonly label: string;
  readonly repeatable: boolean;
  readonly maxBytes: number;
  /** Whether an earlier attempt may have been carried out. */
  readonly mayBeDone?: boolean;
}

/** Whether this side ended a call, and why. */
export interface Ended {
  readonly cancelled: boolean;
  /** The deadline, in milliseconds, is over. */
  readonly late: boolean;
  readonly deadline: number;
}

/** An attempt was not sent. */
export const describeUnsent = ({ label, mayBeDone }: FailingCall, reason: string): ApiError =>
  new ApiError(label, reason, { outcome: mayBeDone ? "unknown" : "not sent" });

/** No whole answer arrived: whether the request may have been carried out, and why. */
export function describeNetworkFailure(
  { label, repeatable, maxBytes, mayBeDone }: FailingCall,
  { sent, status, code, kind }: ExchangeError,
  ended: Ended,
): FailedCall {
  const outcome = sent || mayBeDone ? "unknown" : "not sent";
  const failed = (reason: string, retryable: boolean): FailedCall => ({
    error: new ApiError(label, reason, { ...defined({ status }), outcome, cause: { name: kind, code } }),
    retryable,
  });

  if (ended.cancelled) return failed("cancelled by the caller", false);
  if (ended.late) return failed(`no complete answer within ${ended.deadline / 1000} s`, false);
  if (code === tooLargeCode) return failed(`the answer is larger than ${maxBytes} bytes`, false);
  if (code === unknownEncodingCode || /^(Z_|ERR__?ZLIB|ERR_BROTLI)/.test(code))
    return failed(`the response is compressed and cannot be decompressed (${code})`, false);
  if (isTls(code))
    return failed(
      `no trusted TLS connection (${code}): check the base URL and its certificate; an authority of your own goes in NODE_EXTRA_CA_CERTS`,
      false,
    );
  if (sent) return failed(`the connection failed before the answer was complete (${code})`, repeatable);
  return failed(`could not connect (${code}): check the base URL and the network`, canConnectLater.has(code));
}

const canConnectLater = new Set([
  "EAI_AGAIN",
  "ECONNREFUSED",
  "ECONNRESET",
  "EHOSTUNREACH",
  "ENETUNREACH",
  "ENOTFOUND",
  "EPIPE",
  "ETIMEDOUT",
  "UND_ERR_CONNECT_TIMEOUT",
  "UND_ERR_SOCKET",
]);

const isTls = (code: string): boolean =>
  /^(ERR_TLS_|ERR_SSL_|CERT_|UNABLE_TO_|SELF_SIGNED_|DEPTH_ZERO_|HOSTNAME_MISMATCH|EPROTO)/.test(code);

const secretRequests = new AsyncLocalStorage<true>();

/** Runs calls whose failures leave out the service's words: these can repeat a secret of the request. */
export const withoutWords = <T>(run: () => Promise<T>): Promise<T> => secretRequests.run(true, run);

const describeWords = (message: string, { accessToken }: Settings): string => {
  const words = quoteForeignText(message, accessToken);
  if (words === "") return "";
  return secretRequests.getStore()
    ? "the service's words are left out, as inputs are secret"
    : `the service says "${words}"`;
};

/** The service answered with something other than a success. */
export function describeRefusal(
  call: FailingCall,
  answer: ExchangeAnswer,
  settings: Settings,
  wait: number | undefined,
): FailedCall {
  const { status } = answer;
  const json = parseJson(answer);
  const unsure = status === 408 || status >= 500;
  const message = readMessage(json);
  const advice = adviseOn({ status, message, wait }, call, settings);
  const reason = [describeWords(message, settings), ...advice].filter(Boolean).join("; ");
  return {
    error: new ApiError(call.label, reason || "the service refused the request", {
      status,
      outcome: unsure ? "unknown" : "refused",
      json: json !== undefined,
    }),
    retryable: unsure && call.repeatable,
    retryAfter: wait,
  };
}

/** A success whose body cannot be used. Where it still names an id, the error carries it. */
export const describeUnusable = (label: string, answer: ExchangeAnswer, reason: string, id?: string): FailedCall => ({
  error: new ApiError(label, reason, defined({ status: answer.status, outcome: "unknown", id } as const)),
  retryable: false,
});

/** The body if it is JSON. The message of `JSON.parse` stays here: it quotes the body. */
export function parseJson(answer: ExchangeAnswer, parse: (text: string) => unknown = JSON.parse): unknown {
  if (!/^application\/(.+\+)?json\b/i.test(answer.headers["content-type"] ?? "")) return undefined;
  try {
    return parse(answer.body);
  } catch {
    return undefined;
  }
}

/** Reads the message of an error body, and for a query that failed also the place (extended interface, "Errors and limits"). */
function readMessage(json: unknown): string {
  if (!isObject(json) || typeof json.message !== "string") return "";
  const { line, column } = isObject(json.detail) ? json.detail : {};
  const place = Number.isInteger(line) && Number.isInteger(column) ? `line ${line}, column ${column}` : "";
  return !place || json.message.includes(place) ? json.message : `${place}: ${json.message}`;
}
