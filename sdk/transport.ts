import type { Reader, ResponseHead } from "../values/answer";
import { isObject } from "../values/json";
import { printable, withPrintableFailures } from "../values/printable";
import { ServiceClock } from "./clock";
import { Connections } from "./connections";
import { type ExchangeAnswer, ExchangeError, exchange } from "./exchange";
import {
  describeNetworkFailure,
  describeRefusal,
  describeUnsent,
  describeUnusable,
  type FailedCall,
  parseJson,
} from "./failures";
import type { OperationName } from "./operations";
import { type PreparedRequest, prepareRequest, type Sendable } from "./prepare";
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
  /** Reads the body of a success. Absent: it is not looked at. */
  readonly read?: Reader<T>;
  /** How the body of a success is parsed. Default `JSON.parse`. */
  readonly parse?: (text: string) => unknown;
}

/** One call of an operation: with the body and the query parameters that the operation has, and no others. */
export type Call<Name extends OperationName, T> = Omit<AnyCall<T>, "body" | "parameters"> &
  BodyOf<Name> &
  ParametersOf<Name>;

/** The one place where requests leave: profile, credential, deadline, size cap, rate limit, retry, debug lines. */
export class Transport {
  /** The service's clock, as its responses tell it. */
  readonly clock: ServiceClock;
  readonly #settings: Settings;
  readonly #options: ReadyOptions;
  readonly #retry: RetryPolicy;
  readonly #gate: RateGate;
  readonly #connections: Connections;
  readonly #underWay = new Set<Promise<unknown>>();
  #closing: Promise<void> | undefined;

  constructor(settings: Settings, options: ReadyOptions) {
    this.#settings = settings;
    this.#options = options;
    this.clock = new ServiceClock(options.now);
    this.#retry = new RetryPolicy(options.random);
    this.#gate = new RateGate(options);
    this.#connections = new Connections(settings.baseUrl);
  }

  /**
   * Makes the call, again after failures that cannot have had an effect, until its deadline.
   * @throws ApiError; Error before anything is sent if the profile does not have the operation, a field or a parameter
   */
  async send<Name extends OperationName, T>(name: Name, call: Call<Name, T>): Promise<T> {
    try {
      const request = prepareRequest(this.#settings, this.#options.deadlines, name, call);
      if (call.signal && !(call.signal instanceof AbortSignal)) throw new TypeError("signal must be an AbortSignal");
      if (this.#closing) throw describeUnsent(request, "this client was closed before the call");
      const sent = this.#sendUntilDone<T>(request, call);
      this.#underWay.add(sent);
      return await sent.finally(() => this.#underWay.delete(sent));
    } catch (failure) {
      throw printable(failure);
    }
  }

  /**
   * Refuses a body before anything else is done for it.
   * @throws Error that names the field that the profile does not have
   */
  checkBody(name: OperationName, body: object): void {
    withPrintableFailures(checkBody)(this.#settings, name, body);
  }

  /** Refuses further calls, and closes the connections when the calls under way are finished. */
  close(): Promise<void> {
    this.#closing ??= Promise.allSettled(this.#underWay).then(() => this.#connections.close());
    return this.#closing;
  }

  async #sendUntilDone<T>(first: PreparedRequest, call: AnyCall<T>): Promise<T> {
    this.#retry.countCall();
    let request = first;
    let remaining = request.deadline;
    let refused = false;
    for (let attempt = 1; ; ) {
      const pass: Pass = await this.#gate
        .enter(call.signal, refused)
        .catch(() => Promise.reject(describeUnsent(request, "cancelled by the caller")));
      const started = performance.now();
      const result: Attempt<T> = await this.#attempt(request, call, remaining, pass);
      if ("value" in result) return result.value;
      refused = result.error === undefined;
      if (result.error === undefined) continue;
      remaining -= performance.now() - started;
      const wait = this.#retry.delayAfter(attempt++, result, remaining);
      if (wait === undefined) throw result.error;
      remaining -= wait;
      await this.#options
        .sleep(wait, call.signal ?? new AbortController().signal)
        .catch(() => Promise.reject(result.error));
      if (result.error.outcome === "unknown") request = { ...request, mayBeDone: true };
    }
  }

  async #attempt<T>(request: PreparedRequest, call: AnyCall<T>, remaining: number, pass: Pass): Promise<Attempt<T>> {
    let result: ExchangeAnswer | FailedCall | undefined;
    let tooLong: number | undefined;
    try {
      result = await this.#exchange(request, call.signal, remaining);
    } finally {
      // Whatever happened: a request that never left the gate would hold up all that come after it.
      tooLong = this.#gate.leave(pass, result && "body" in result ? result : undefined);
    }
    if (!("body" in result)) return result;
    if (result.status === 429 && tooLong === undefined) return waitsForItsTurn;
    return this.#judge(request, call, result, tooLong);
  }

  async #exchange(
    request: PreparedRequest,
    cancel: AbortSignal | undefined,
    remaining: number,
  ): Promise<ExchangeAnswer | FailedCall> {
    const timeout = AbortSignal.timeout(Math.max(0, Math.ceil(remaining)));
    const signal = cancel ? AbortSignal.any([timeout, cancel]) : timeout;
    const started = performance.now();
    const log = (outcome: string | number) =>
      this.#options.debug(`event-datasets ${request.label} ${outcome} ${Math.round(performance.now() - started)}ms`);
    const tellEnd = this.#options.watch(request.label);
    const { shared, single } = this.#connections;
    let answer: ExchangeAnswer | undefined;
    try {
      answer = await exchange(request.repeatable ? shared : single, { ...request, signal });
      this.clock.note(answer.headers.date, answer.arrived);
      log(answer.status);
      return answer;
    } catch (e) {
      if (!(e instanceof ExchangeError)) throw e;
      log(e.status ?? "no answer");
      if (!request.repeatable && !e.sent) this.#connections.renewSingle();
      const ended = { cancelled: cancel?.aborted === true, late: timeout.aborted, deadline: request.deadline };
      return describeNetworkFailure(request, e, ended);
    } finally {
      tellEnd({ status: answer?.status, date: answer?.headers.date });
    }
  }

  #judge<T>(
    request: PreparedRequest,
    call: AnyCall<T>,
    answer: ExchangeAnswer,
    tooLong: number | undefined,
  ): Attempt<T> {
    const { label } = request;
    if (answer.status < 200 || answer.status > 299) {
      const wait = tooLong ?? readRetryAfter(answer.headers, this.#options.now());
      return describeRefusal(request, answer, this.#settings, wait);
    }
    // Nothing is expected (extended interface, "Tokens", "Annotations"), but a page of whatever stands in between is not the
    // service's: a token that it is believed of would be forgotten alive.
    if (!call.read && answer.body.length === 0) return { value: undefined as T };
    const json = parseJson(answer, call.parse);
    if (json === undefined)
      return describeUnusable(label, answer, "the answer is not JSON; is this the right base URL?");
    if (!call.read) return { value: undefined as T };
    const reading = readSafely(call.read, json, answer);
    if ("value" in reading) return reading;
    const id = isObject(json) && typeof json.id === "string" && json.id ? json.id : undefined;
    return describeUnusable(label, answer, `the answer does not fit: ${reading.problem}`, id);
  }
}

/** Whatever goes wrong once a request was sent is a failure of its call, or the caller would not know that it was sent. */
function readSafely<T>(read: Reader<T>, json: unknown, head: ResponseHead): ReturnType<Reader<T>> {
  try {
    return read(json, head);
  } catch {
    return { problem: "it cannot be read" };
  }
}

/** A refused request that is sent again when its turn comes. */
const waitsForItsTurn = { error: undefined } as const;

type Attempt<T> = { readonly value: T } | FailedCall | typeof waitsForItsTurn;
