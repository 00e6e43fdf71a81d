import { ApiError } from "./errors";
import { type ExchangeAnswer, type ExchangeError, tooLargeCode } from "./exchange";
import { readRetryAfter } from "./retry";
import type { Settings } from "./settings";
import { defined } from "./values/defined";
import { quoteForeignText } from "./values/foreignText";
import { isObject } from "./values/json";

/** A failed attempt with the error to throw if it was the last one. */
export interface FailedCall {
  readonly error: ApiError;
  /** Whether sending again is safe and makes sense. */
  readonly retryable: boolean;
  /** The wait that the service asked for, in milliseconds. */
  readonly retryAfter?: number | undefined;
}

/** What of a call its failures depend on. */
export interface FailingCall {
  /** Method and path. */
  readonly label: string;
  readonly repeatable: boolean;
  readonly maxBytes: number;
}

/** What ended a call from this side, if anything did. */
export interface Ended {
  readonly cancelled: boolean;
  /** The deadline, in milliseconds, is over. */
  readonly late: boolean;
  readonly deadline: number;
}

/** No whole answer arrived: whether the request may have been carried out, and why. */
export function describeNetworkFailure(
  { label, repeatable, maxBytes }: FailingCall,
  { sent, status, code, kind }: ExchangeError,
  ended: Ended,
): FailedCall {
  const outcome = sent ? "unknown" : "not sent";
  const failed = (reason: string, retryable: boolean): FailedCall => ({
    error: new ApiError(label, reason, { ...defined({ status }), outcome, cause: { name: kind, code } }),
    retryable,
  });

  if (ended.cancelled) return failed("cancelled by the caller", false);
  if (ended.late) return failed(`no complete answer within ${ended.deadline / 1000} s`, false);
  if (code === tooLargeCode) return failed(`the answer is larger than ${maxBytes} bytes`, false);
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

/** The service answered with something other than a success. */
export function describeRefusal(
  { label, repeatable }: FailingCall,
  answer: ExchangeAnswer,
  settings: Settings,
  tooLong: number | undefined,
): FailedCall {
  const { status, headers } = answer;
  const json = parseJson(answer);
  const unsure = status === 408 || status >= 500;
  const said = quoteForeignText(readMessage(json), settings.accessToken);
  const reason = [said && `the service says "${said}"`, adviseOn(status, settings, tooLong)].filter(Boolean).join("; ");
  return {
    error: new ApiError(label, reason || "the service refused the request", {
      status,
      outcome: unsure ? "unknown" : "refused",
      json: json !== undefined,
    }),
    retryable: unsure && repeatable,
    retryAfter: readRetryAfter(headers["retry-after"], Date.now()),
  };
}

/** A success whose body cannot be used. Where it still names an id, the error carries it. */
export const describeUnusable = (label: string, answer: ExchangeAnswer, reason: string, id?: string): FailedCall => ({
  error: new ApiError(label, reason, defined({ status: answer.status, outcome: "unknown", id } as const)),
  retryable: false,
});

/** The body if it is JSON. What `JSON.parse` says of one that is not stays here: it quotes the body. */
export function parseJson(answer: ExchangeAnswer, parse: (text: string) => unknown = JSON.parse): unknown {
  if (!/^application\/(.+\+)?json\b/i.test(answer.headers["content-type"] ?? "")) return undefined;
  try {
    return parse(answer.body);
  } catch {
    return undefined;
  }
}

/** What an error body says, and for a query that failed also where (extended interface, "Errors and limits"). */
function readMessage(json: unknown): string {
  if (!isObject(json) || typeof json.message !== "string") return "";
  const { line, column } = isObject(json.detail) ? json.detail : {};
  const place = Number.isInteger(line) && Number.isInteger(column) ? `line ${line}, column ${column}` : "";
  return !place || json.message.includes(place) ? json.message : `${place}: ${json.message}`;
}

function adviseOn(status: number, settings: Settings, tooLong = 0): string {
  if (status >= 300 && status <= 399) return "redirects are never followed: set the base URL to the final address";
  switch (status) {
    case 401:
      return `the access token (from ${settings.credentialFrom}) is not valid`;
    case 403:
      return `the access token (from ${settings.credentialFrom}) lacks a capability for this`;
    case 404:
      return `not found under ${settings.baseUrl}; if nothing is, check the base URL`;
    case 429:
      return `too many requests: try again later, in ${Math.max(1, Math.ceil(tooLong / 1000))} s at the earliest`;
    case 430:
      return "the limit for queries is used up: try again later";
    default:
      return status >= 500 ? "the service failed" : "";
  }
}
