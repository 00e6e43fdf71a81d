import { defined } from "../values/defined";
import { makePrintable } from "../values/printable";

/**
 * The effect of a failed call:
 * - `not sent`: no byte of the request was sent, so it had no effect;
 * - `refused`: the service refused the request;
 * - `unknown`: the request may have been carried out.
 */
export type Outcome = "not sent" | "refused" | "unknown";

/** The cause of an error, reduced to its name and code, because the error object itself can contain parts of a response. */
export interface FailureCause {
  /** The kind of error, such as "SocketError". */
  readonly name: string;
  /** As in "ECONNRESET". */
  readonly code: string;
}

/** The facts of an `ApiError` in addition to its message. */
export type ApiErrorOptions = Pick<ApiError, "outcome"> &
  Partial<Pick<ApiError, "cause" | "status" | "json" | "id" | "mayBeProfile" | "invalidField" | "traceId">>;

/** A failed call: the service refused it, or no usable response arrived. Of a body it quotes only the service's message. */
export class ApiError extends Error {
  override readonly name = "ApiError";
  /** Method and path, as in "GET /v2/tokens/t1". */
  readonly call: string;
  /** HTTP status of the response; undefined: no response arrived. */
  readonly status: number | undefined;
  /** The effect of the call. */
  readonly outcome: Outcome;
  /** Whether the response that refused the call was JSON, as the service's own are; a proxy's page is not. */
  readonly json: boolean = false;
  /** Id of the object in a response that is otherwise unusable. */
  readonly id: string | undefined;
  /** Whether the profile that the client uses is the likely reason. */
  readonly mayBeProfile: boolean = false;
  /** The service's message about a field of the query that no event has ever had; empty if inputs are secret. */
  readonly invalidField: string | undefined;
  /** The service's id of the request, which its support asks for. */
  readonly traceId: string | undefined;
  /** The failure because of which no complete response arrived. */
  declare readonly cause: FailureCause | undefined;

  /**
   * @param call method and path, as in "GET /v2/tokens/t1"
   * @param reason what failed and what the user can do
   */
  constructor(call: string, reason: string, { cause, ...facts }: ApiErrorOptions) {
    const trace = facts.traceId === undefined ? "" : ` (trace id ${facts.traceId})`;
    super(`${call}: ${facts.status ?? "no response"}: ${reason}${trace}`, defined({ cause }));
    this.call = call;
    this.outcome = facts.outcome;
    Object.assign(this, facts);
    makePrintable(this);
  }
}

/** Checks the name instead of the class: tests and the provider process load several copies of the class. */
export const isApiError = (e: unknown): e is ApiError => e instanceof Object && "name" in e && e.name === "ApiError";

/** Whether the service responded with this status. */
export const isStatus = (e: unknown, status: number): boolean => isApiError(e) && e.status === status;

/** Whether this is the failure of a call that may have been carried out. */
export const isOutcomeUnknown = (e: unknown): e is ApiError => isApiError(e) && e.outcome === "unknown";

/**
 * The result of a call, or undefined if the service itself says that the object is gone (404, in JSON). Rethrows other
 * failures.
 */
export async function orGone<T>(call: Promise<T>): Promise<T | undefined> {
  try {
    return await call;
  } catch (e) {
    if (isStatus(e, 404) && (e as ApiError).json) return undefined;
    throw e;
  }
}
