import { defined } from "../values/defined";
import { printable } from "../values/printable";

/**
 * The effect of a call that failed, as far as it is known:
 * - `not sent`: no byte of the request left, so nothing can have happened;
 * - `refused`: the service (or the client, before sending) answered no;
 * - `unknown`: the request may have been carried out.
 */
export type Outcome = "not sent" | "refused" | "unknown";

/** The parts of the error beneath that are kept: never the error itself, which can hold what the service answered. */
export interface FailureCause {
  /** The kind of error, as in "SocketError". */
  readonly name: string;
  /** As in "ECONNRESET". */
  readonly code: string;
}

/** The facts that an `ApiError` carries beside its sentence. */
export interface ApiErrorOptions {
  /** The failure of the connection. */
  readonly cause?: FailureCause;
  /** HTTP status of the answer; absent: no answer arrived. */
  readonly status?: number;
  /** The effect, as far as it is known. */
  readonly outcome: Outcome;
  /** Whether the answer was JSON, as every answer of the service is; a proxy's page is not. */
  readonly json?: boolean;
  /** Id of the object that the answer still named, though the answer was unusable as a whole. */
  readonly id?: string;
}

/** A call that failed: the service refused it, or no usable answer came back. Holds no header and no body. */
export class ApiError extends Error {
  override readonly name = "ApiError";
  /** Method and path, as in "GET /v2/tokens/t1". */
  readonly call: string;
  /** HTTP status of the answer; undefined: no answer arrived. */
  readonly status: number | undefined;
  /** The effect, as far as it is known. */
  readonly outcome: Outcome;
  /** Whether the answer was JSON, as every answer of the service is; a proxy's page is not. */
  readonly json: boolean;
  /** Id of the object that the answer still named, though the answer was unusable as a whole. */
  readonly id: string | undefined;
  /** The failure of the connection. */
  declare readonly cause: FailureCause | undefined;

  /**
   * @param call method and path, as in "GET /v2/tokens/t1"
   * @param reason what went wrong and what to do about it
   */
  constructor(call: string, reason: string, options: ApiErrorOptions) {
    super(`${call}: ${options.status ?? "no answer"}: ${reason}`, defined({ cause: options.cause }));
    this.call = call;
    this.status = options.status;
    this.outcome = options.outcome;
    this.json = options.json ?? false;
    this.id = options.id;
    printable(this);
  }
}

/** By name, not instanceof: tests and the provider process load second copies of the class. */
export const isApiError = (e: unknown): e is ApiError => e instanceof Object && "name" in e && e.name === "ApiError";

/** Whether the service answered with this status. */
export const isStatus = (e: unknown, status: number): boolean => isApiError(e) && e.status === status;

/** The call's value, or undefined if the service itself says that it is gone: 404, in JSON. Other failures stay failures. */
export async function orGone<T>(call: Promise<T>): Promise<T | undefined> {
  try {
    return await call;
  } catch (e) {
    if (isStatus(e, 404) && (e as ApiError).json) return undefined;
    throw e;
  }
}
