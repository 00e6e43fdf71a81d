import { isObject } from "../values/json";
import { makePrintable, withPrintableFailures } from "../values/printable";
import type { Reader, ResponseHead } from "../values/response";
import { ServiceClock } from "./clock";
import { Connections } from "./connections";
import { type ExchangeResponse, exchange } from "./exchange";
import {
  cancelledByCaller,
  describeNetworkFailure,
  describeRefusal,
  describeUnsent,
  describeUnusable,
  type FailedCall,
  parseJson,
} from "./failures";
import type { DeadlineKind, OperationName } from "./operations";
import { deadlineOf, type PreparedRequest, prepareRequest, type Sendable } from "./prepare";
import { type Pass, RateGate } from "./rateGate";
import { type BodyOf, checkBody, type ParametersOf } from "./requests";
import { RetryPolicy, readRetryAfter } from "./retry";
import type { Settings } from "./settings";
import type { ReadyOptions } from "./transportOptions";

/** Options of every call. */
export interface CallOptions {
  /** Ends the call early; it then fails with an `ApiError`. */
  readonly signal?: AbortSignal | undefined;
}

/** One call, whatever its operation. */
interface AnyCall<T> extends CallOptions, Sendable {
  /** Reads the body of a success. Absent: the body is ignored. */
  readonly read?: Reader<T>;
  /** How the body of a success is parsed. Default `JSON.parse`. */
  readonly parse?: (text: string) => unknown;
}

/** A call of an operation, with exactly the body and the query parameters that the operation takes. */
export type Call<Name extends OperationName, T> = Omit<AnyCall<T>, "body" | "parameters"> &
  BodyOf<Name> &
  ParametersOf<Name>;

/**
 * Sends all requests, and nothing else does: with profile, access token, deadline, size limit, rate limit, retries and debug
 * lines.
 */
export class Transport {
  /** The service's clock, according to its responses. */
  readonly clock: ServiceClock;
  readonly #settings: Settings;
  readonly #options: ReadyOptions;
  readonly #retry: RetryPolicy;
  /** A query cost limit refuses queries only (extended interface, "Errors and limits"), so other calls do not wait for it. */
  readonly #gates: Readonly<Record<DeadlineKind, RateGate>>;
  readonly #connections: Connections;
  readonly #underWay = new Set<Promise<unknown>>();
  #closing: Promise<void> | undefined;

  constructor(settings: Settings, options: ReadyOptions) {
    this.#settings = settings;
    this.#options = options;
    this.clock = new ServiceClock(options.now);
    this.#retry = new RetryPolicy(options.random);
    const management = new RateGate(options);
    const queries = new RateGate(options, "queries", deadlineOf(settings, "query"));
    this.#gates = { call: management, list: management, query: queries };
    this.#connections = new Connections(settings.baseUrl);
  }

  /**
   * Makes the call and retries it until its deadline, after failures for which a retry is safe.
   * @throws ApiError; Error before anything is sent if the profile does not have the operation, a field or a parameter
   */
  async send<Name extends OperationName, T>(name: Name, call: Call<Name, T>): Promise<T> {
    try {
      const request = prepareRequest(this.#settings, name, call);
      if (call.signal && !(call.signal instanceof AbortSignal)) throw new TypeError("signal must be an AbortSignal");
      if (this.#closing) throw describeUnsent(request, "this client was closed before the call");
      const ending = new AbortController();
      const cancel = () => ending.abort(cancelledByCaller);
      if (call.signal?.aborted) cancel();
      call.signal?.addEventListener("abort", cancel);
      const sent = this.#sendUntilDone<T>(request, call, ending);
      this.#underWay.add(sent);
      return await sent.finally(() => {
        this.#retry.countFinished();
        call.signal?.removeEventListener("abort", cancel);
        this.#underWay.delete(sent);
      });
    } catch (failure) {
      throw makePrintable(failure);
    }
  }

  /**
   * Refuses an unusable body before its request is made.
   * @throws Error that names the field that the profile does not have
   */
  checkBody(name: OperationName, body: object): void {
    withPrintableFailures(checkBody)(this.#settings, name, body);
  }

  /** Refuses further calls, and closes the connections once the calls under way have finished. */
  close(): Promise<void> {
    this.#closing ??= Promise.allSettled(this.#underWay).then(() => this.#connections.close());
    return this.#closing;
  }

  async #sendUntilDone<T>(first: PreparedRequest, call: AnyCall<T>, ending: AbortController): Promise<T> {
    let request = first;
    let remaining = request.deadline;
    let wasRefused = false;
    for (let attempt = 1; ; ) {
      const pass: Pass = await this.#gates[request.kind]
        .enter(ending.signal, wasRefused ? "refused" : remaining)
        .catch(() => {
          const limit = request.deadline / 1000;
          const late = `not sent within ${limit} s, because the service has not responded to the calls before it`;
          throw describeUnsent(request, ending.signal.aborted ? cancelledByCaller : late);
        });
      const started = performance.now();
      const result: Attempt<T> = await this.#attempt(request, call, ending, remaining, pass);
      if ("value" in result) return result.value;
      wasRefused = result.error === undefined;
      if (result.error === undefined) continue;
      remaining -= performance.now() - started;
      const wait = this.#retry.delayAfter(attempt++, result, remaining);
      if (wait === undefined) throw result.error;
      remaining -= wait;
      if (result.error.outcome === "unknown" && !request.reads) request = { ...request, mayBeDone: true };
      const cancelled = describeUnsent(request, cancelledByCaller);
      await this.#options
        .sleep(wait, ending.signal)
        .catch(() => Promise.reject(ending.signal.aborted ? cancelled : result.error));
    }
  }

  async #attempt<T>(
    request: PreparedRequest,
    call: AnyCall<T>,
    ending: AbortController,
    remaining: number,
    pass: Pass,
  ): Promise<Attempt<T>> {
    let result: ExchangeResponse | FailedCall | undefined;
    let tooLong: number | undefined;
    try {
      result = await this.#exchange(request, ending, remaining);
    } finally {
      // Also after an exception: a request that never leaves the gate would block those after it.
      tooLong = this.#gates[request.kind].leave(pass, result && "body" in result ? result : undefined);
    }
    if (!("body" in result)) return result;
    if (result.status === 429 && tooLong === undefined) return waitsForItsTurn;
    return this.#judge(request, call, result, tooLong);
  }

  async #exchange(
    request: PreparedRequest,
    ending: AbortController,
    remaining: number,
  ): Promise<ExchangeResponse | FailedCall> {
    const { shared, proxyVariable } = this.#connections;
    const dispatcher = request.repeatable ? shared : this.#connections.open();
    const late = `no complete response within ${request.deadline / 1000} s`;
    const timer = setTimeout(() => ending.abort(late), Math.max(0, Math.ceil(remaining)));
    const started = performance.now();
    const log = (outcome: string | number, trace?: string) => {
      const time = `${Math.round(performance.now() - started)}ms${trace === undefined ? "" : ` trace ${trace}`}`;
      this.#options.debug(`event-datasets ${request.label} ${outcome} ${time}`);
    };
    const tellEnd = this.#options.watch(request.label);
    const result = await exchange(dispatcher, { ...request, signal: ending.signal });
    clearTimeout(timer);
    // Nothing waits for that: the response can hold a secret.
    if (dispatcher !== shared) dispatcher.destroy().catch(() => undefined);
    const response = "body" in result ? result : undefined;
    log(result.status ?? "no response", result.traceId);
    tellEnd({ status: response?.status, date: response?.headers.date });
    if (!("body" in result)) return describeNetworkFailure(request, result, ending.signal.reason, proxyVariable);
    this.clock.note(result.headers.date, result.arrived, result.headers.age);
    return result;
  }

  #judge<T>(
    request: PreparedRequest,
    call: AnyCall<T>,
    response: ExchangeResponse,
    tooLong: number | undefined,
  ): Attempt<T> {
    const { label } = request;
    if (response.status < 200 || response.status > 299) {
      const wait = tooLong ?? readRetryAfter(response.headers, this.#options.now());
      return describeRefusal(request, response, this.#settings, wait);
    }
    // No body is expected (extended interface, "Tokens", "Annotations"). But the page of a proxy does not come from
    // the service: a live token would be forgotten.
    if (!call.read && response.body.length === 0) return { value: undefined as T };
    const json = parseJson(response, call.parse);
    if (json === undefined)
      return describeUnusable(
        label,
        response,
        "the response is not JSON: check the base URL (Axiom's is https://api.axiom.co, not https://app.axiom.co)",
      );
    if (!call.read) return { value: undefined as T };
    const reading = readSafely(call.read, json, response);
    if ("value" in reading) return reading;
    const id = isObject(json) && typeof json.id === "string" && json.id ? json.id : undefined;
    return describeUnusable(label, response, `the response has an unexpected form: ${reading.problem}`, id);
  }
}

/** Turns an exception into a failure of the call, so that the caller knows that the request was sent. */
function readSafely<T>(read: Reader<T>, json: unknown, head: ResponseHead): ReturnType<Reader<T>> {
  try {
    return read(json, head);
  } catch {
    return { problem: "it cannot be read" };
  }
}

/** A refused request, which the gate sends again. */
const waitsForItsTurn = { error: undefined } as const;

type Attempt<T> = { readonly value: T } | FailedCall | typeof waitsForItsTurn;
