import { defined } from "../values/defined";
import { isDiscreet } from "../values/discretion";
import { isObject } from "../values/json";
import { adviseOnProfile, adviseOnStatus } from "./advice";
import { tooLargeCode, unknownEncodingCode } from "./bodyReader";
import { ApiError } from "./errors";
import type { ExchangeResponse, FailedExchange } from "./exchange";
import { quoteForeignText } from "./foreignText";
import type { DeadlineKind } from "./operations";
import type { CheckedRequest } from "./requests";
import type { FailedAttempt } from "./retry";
import type { Settings } from "./settings";

/** A failed attempt, with the error to throw if it is not retried. */
export interface FailedCall extends FailedAttempt {
  readonly error: ApiError;
}

/** The facts about a call that decide how its failures are described. */
export interface FailingCall extends Omit<CheckedRequest, "search"> {
  /** Method and path. */
  readonly label: string;
  readonly kind: DeadlineKind;
  readonly repeatable: boolean;
  readonly maxBytes: number;
  /** Whether an earlier attempt may have changed something. */
  readonly mayBeDone?: boolean;
}

export const cancelledByCaller = "cancelled by the caller";

/** Describes an attempt that was not sent. */
export const describeUnsent = ({ label, mayBeDone }: FailingCall, reason: string): ApiError =>
  new ApiError(label, reason, { outcome: mayBeDone ? "unknown" : "not sent" });

/**
 * Describes an attempt without a complete response: whether the request may have been carried out, and why there is no
 * response.
 * @param ended why the client itself ended the attempt
 */
export function describeNetworkFailure(
  { label, repeatable, maxBytes, mayBeDone }: FailingCall,
  { sent, status, traceId, code, kind }: FailedExchange,
  ended: string | undefined,
  proxyVariable?: string,
): FailedCall {
  const outcome = sent || mayBeDone ? "unknown" : "not sent";
  const failedCall = (reason: string, retryable: boolean): FailedCall => ({
    error: new ApiError(label, reason, { ...defined({ status, traceId }), outcome, cause: { name: kind, code } }),
    retryable,
  });

  if (ended !== undefined) return failedCall(ended, false);
  if (code === tooLargeCode) return failedCall(`the response is larger than ${maxBytes} bytes`, false);
  if (code === unknownEncodingCode || /^(Z_|ERR__?ZLIB|ERR__ERROR_|ERR_BROTLI)/.test(code))
    return failedCall(`the response is compressed and cannot be decompressed (${code})`, false);
  if (isTls(code))
    return failedCall(
      `no trusted TLS connection (${code}): check the base URL and its certificate; NODE_EXTRA_CA_CERTS adds your own certificate authority`,
      false,
    );
  if (sent) return failedCall(`the connection failed before the response was complete (${code})`, repeatable);
  if (/^UND_ERR_(ABORTED|PRX_)/.test(code))
    return failedCall(
      `the proxy did not open a connection (${code}): check ${proxyVariable} and its user name and password`,
      false,
    );
  const places = proxyVariable
    ? `the base URL, the network and the proxy in ${proxyVariable}`
    : `the base URL and the network${code === "ECONNREFUSED" ? "; is the emulator or the service running?" : ""}`;
  return failedCall(`could not connect (${code}): check ${places}`, canConnectLater.has(code));
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

/** Quotes the service's own words. */
const describeWords = (message: string, { accessToken }: Settings): string => {
  const words = quoteForeignText(message, accessToken);
  if (words === "") return "";
  return isDiscreet() ? "the service's message is hidden because an argument is secret" : `the service says "${words}"`;
};

/** Describes a response that does not report success. */
export function describeRefusal(
  call: FailingCall,
  response: ExchangeResponse,
  settings: Settings,
  wait: number | undefined,
): FailedCall {
  const { status } = response;
  const json = parseJson(response);
  const unsure = status === 408 || status >= 500;
  const refusal = { status, message: readMessage(json), json: json !== undefined, wait };
  const [sentence] = (status === 400 && /\binvalid field\b.*/is.exec(refusal.message)) || [];
  const invalidField = sentence && (isDiscreet() ? "" : quoteForeignText(sentence, settings.accessToken));
  const onProfile = invalidField === undefined ? adviseOnProfile(refusal, call, settings) : "";
  const parts = [describeWords(refusal.message, settings), adviseOnStatus(refusal, call, settings), onProfile];
  const reason = parts.filter(Boolean).join("; ");
  return {
    error: new ApiError(call.label, reason || "the service refused the request", {
      status,
      outcome: unsure || call.mayBeDone ? "unknown" : "refused",
      json: refusal.json,
      mayBeProfile: onProfile !== "",
      ...defined({ invalidField, traceId: response.traceId }),
    }),
    retryable: unsure && call.repeatable,
    retryAfter: wait,
  };
}

/** Describes a successful response whose body is unusable. If the body contains an id, so does the error. */
export const describeUnusable = (
  label: string,
  { status, traceId }: ExchangeResponse,
  reason: string,
  id?: string,
): FailedCall => ({
  error: new ApiError(label, reason, defined({ status, outcome: "unknown", id, traceId } as const)),
  retryable: false,
});

/** Parses a JSON body. Hides the message of `JSON.parse`, which quotes the body. */
export function parseJson(response: ExchangeResponse, parse: (text: string) => unknown = JSON.parse): unknown {
  if (!/^application\/(.+\+)?json\b/i.test(response.headers["content-type"] ?? "")) return undefined;
  try {
    return parse(response.body);
  } catch {
    return undefined;
  }
}

/**
 * Reads the message of an error body; for a failed query also the position (extended interface, "Errors and limits").
 */
function readMessage(json: unknown): string {
  if (!isObject(json) || typeof json.message !== "string") return "";
  const { line, column } = isObject(json.detail) ? json.detail : {};
  const place = Number.isInteger(line) && Number.isInteger(column) ? `line ${line}, column ${column}` : "";
  return !place || json.message.includes(place) ? json.message : `${place}: ${json.message}`;
}
