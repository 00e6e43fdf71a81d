import { setTimeout } from "node:timers/promises";
import { Connections } from "./connections";
import { ApiError } from "./errors";
import { type ExchangeAnswer, ExchangeError, type ExchangeRequest, exchange } from "./exchange";
import {
  describeNetworkFailure,
  describeRefusal,
  describeUnusable,
  type FailedCall,
  type FailingCall,
  parseJson,
} from "./failures";
import { type DeadlineKind, deadlineKinds, type OperationName, operations } from "./operations";
import type { Path } from "./path";
import { type Pass, RateGate } from "./rateGate";
import { checkBody, checkRequest } from "./requests";
import { RetryPolicy } from "./retry";
import type { Settings } from "./settings";
import type { Reader } from "./values/answer";
import { defined } from "./values/defined";
import { stringifyExact } from "./values/exactJson";
import { isObject } from "./values/json";
import { withPrintableFailures } from "./values/printable";
import { version } from "./version";

/**
 * Deadlines in milliseconds; each covers one call with all its attempts and the whole answer, but not the time for which the
 * service's rate limit makes it wait.
 */
export interface Deadlines extends Readonly<Record<DeadlineKind, number>> {
  /** A call on one object. Default 30,000. */
  readonly call: number;
  /** A call that lists everything. Default 120,000. */
  readonly list: number;
  /** A query. Default 120,000. */
  readonly query: number;
}

/** What a transport takes from outside, so that tests can decide it. */
export interface TransportOptions {
  /** How long calls may take. */
  readonly deadlines?: { readonly [Kind in DeadlineKind]?: number | undefined } | undefined;
  /** Receives one line an attempt: method, path, status, time. Never a header or a body. */
  readonly debug?: ((line: string) => void) | undefined;
  /** Is told of every attempt when it is sent, and what it gives back is called with the answer when the attempt is over. */
  readonly watch?: ((call: string) => (answer: Attempted) => void) | undefined;
  /** Receives one line when the service's rate limit makes requests wait. */
  readonly inform?: ((line: string) => void) | undefined;
  /** Waits, between attempts and for the rate limit. Default: a timer. */
  readonly sleep?: (ms: number, signal: AbortSignal) => Promise<void>;
  /** The clock that waits for the rate limit are counted on: milliseconds since the epoch. Default `Date.now`. */
  readonly now?: () => number;
  /** Spreads retries: a number from 0 to below 1. Default `Math.random`. */
  readonly random?: () => number;
}

/** What is told of an attempt that is over: no header but the service's clock, and no body. */
export interface Attempted {
  /** Undefined: no answer arrived. */
  readonly status: number | undefined;
  /** The header `Date` of the answer. */
  readonly date: string | undefined;
}

/** Options of every call. */
export interface CallOptions {
  /** Ends the call early; it then fails with an `ApiError`. */
  readonly signal?: AbortSignal | undefined;
}

/** One call of an operation. */
export interface Call<T> extends CallOptions {
  readonly path: Path;
  /** Query parameters, by the names of the extended profile. */
  readonly parameters?: Readonly<Record<string, string | undefined>>;
  readonly body?: object;
  /** `false`: not sent again where its operation could be, because this call may do more than read. */
  readonly repeatable?: false | undefined;
  /** Reads the body of a success. Absent: it is not looked at. */
  readonly read?: Reader<T>;
  /** How the body of a success is parsed. Default `JSON.parse`. */
  readonly parse?: (text: string) => unknown;
}

const checkOutgoing = withPrintableFailures(checkRequest);

/** The one place where requests leave: profile, credential, deadline, size cap, rate limit, retry, debug lines. */
export class Transport {
  readonly #settings: Settings;
  readonly #options: TransportOptions;
  readonly #retry: RetryPolicy;
  readonly #gate: RateGate;
  readonly #sleep: NonNullable<TransportOptions["sleep"]>;
  readonly #connections: Connections;

  constructor(settings: Settings, options: TransportOptions = {}) {
    const { now = Date.now, inform, random } = options;
    this.#settings = settings;
    this.#options = options;
    this.#sleep = options.sleep ?? ((ms, signal) => setTimeout(ms, undefined, { signal }));
    this.#retry = new RetryPolicy(random);
    this.#gate = new RateGate({ sleep: this.#sleep, now, inform });
    this.#connections = new Connections(settings.baseUrl);
  }

  /**
   * Makes the call, again after failures that cannot have had an effect, until its deadline.
   * @throws ApiError; Error before anything is sent if the profile does not have the operation, a field or a parameter
   */
  async send<T>(name: OperationName, call: Call<T>): Promise<T> {
    const request = this.#prepare(name, call);
    this.#retry.countCall();
    let remaining = request.deadline;
    let refused = false;
    for (let attempt = 1; ; ) {
      const pass: Pass = await this.#gate
        .enter(call.signal, refused)
        .catch(() => Promise.reject(describeCancelled(request)));
      const started = performance.now();
      const result = await this.#attempt(request, call, remaining, pass);
      if ("value" in result) return result.value;
      refused = result.error === undefined;
      if (result.error === undefined) continue;
      remaining -= performance.now() - started;
      const wait = this.#retry.delayAfter(attempt++, result, remaining);
      if (wait === undefined) throw result.error;
      remaining -= wait;
      await this.#sleep(wait, call.signal ?? new AbortController().signal).catch(() => Promise.reject(result.error));
    }
  }

  /**
   * Refuses a body before anything else is done for it.
   * @throws Error that names the field that the profile does not have
   */
  checkBody(name: OperationName, body: object): void {
    checkBody(this.#settings, name, body);
  }

  /** Closes idle connections. Calls under way are finished. */
  close(): Promise<void> {
    return this.#connections.close();
  }

  #prepare(name: OperationName, { path, parameters, body, repeatable: own }: Call<unknown>): Prepared {
    const search = checkOutgoing(this.#settings, name, { body, parameters }).toString();
    const { method, maxBytes, deadline: kind, ...operation } = operations[name];
    const repeatable = operation.repeatable && own !== false;
    const deadline = this.#options.deadlines?.[kind] ?? deadlineKinds[kind].limit;
    const base = new URL(this.#settings.baseUrl);
    return {
      label: `${method} ${path}`,
      repeatable,
      reset: !repeatable,
      deadline,
      maxBytes,
      method,
      origin: base.origin,
      path: `${base.pathname.replace(/\/$/, "")}${path}${search && `?${search}`}`,
      headers: this.#headers(body !== undefined),
      body: body === undefined ? null : writeBody(name, body),
      silence: repeatable ? Math.ceil(deadline * deadlineKinds[kind].silence) : 0,
    };
  }

  async #attempt<T>(request: Prepared, call: Call<T>, remaining: number, pass: Pass): Promise<Attempt<T>> {
    const timeout = AbortSignal.timeout(Math.max(0, Math.ceil(remaining)));
    const signal = call.signal ? AbortSignal.any([timeout, call.signal]) : timeout;
    const started = performance.now();
    const log = (outcome: string | number) =>
      this.#options.debug?.(`event-datasets ${request.label} ${outcome} ${Math.round(performance.now() - started)}ms`);
    const over = this.#options.watch?.(request.label);
    const dispatcher = request.repeatable ? this.#connections.shared : this.#connections.single;
    let answer: ExchangeAnswer | undefined;
    try {
      answer = await exchange(dispatcher, { ...request, signal });
      log(answer.status);
    } catch (e) {
      if (!(e instanceof ExchangeError)) throw e;
      log(e.status ?? "no answer");
      if (!request.repeatable && !e.sent) this.#connections.renewSingle();
      const ended = { cancelled: call.signal?.aborted === true, late: timeout.aborted, deadline: request.deadline };
      return describeNetworkFailure(request, e, ended);
    } finally {
      over?.({ status: answer?.status, date: answer?.headers.date });
      if (!answer) this.#gate.leave(pass, undefined);
    }
    const tooLong = this.#gate.leave(pass, answer);
    if (answer.status === 429 && tooLong === undefined) return waitsForItsTurn;
    return this.#judge(request, call, answer, tooLong);
  }

  #headers(hasBody: boolean): Record<string, string> {
    return defined({
      authorization: `Bearer ${this.#settings.accessToken}`,
      accept: "application/json",
      "user-agent": `pulumi-event-datasets/${version} node/${process.versions.node}`,
      "content-type": hasBody ? "application/json" : undefined,
      // Extended interface, "Errors and limits".
      "x-axiom-org-id": this.#settings.orgId,
    });
  }

  #judge<T>(request: Prepared, call: Call<T>, answer: ExchangeAnswer, tooLong: number | undefined): Attempt<T> {
    const { label } = request;
    if (answer.status < 200 || answer.status > 299) return describeRefusal(request, answer, this.#settings, tooLong);
    // Nothing is expected (extended interface, "Tokens", "Annotations"), but a page of whatever stands in between is not the
    // service's: a token that it is believed of would be forgotten alive.
    if (!call.read && answer.body.length === 0) return { value: undefined as T };
    const json = parseJson(answer, call.parse);
    if (json === undefined)
      return describeUnusable(label, answer, "the answer is not JSON; is this the right base URL?");
    if (!call.read) return { value: undefined as T };
    const reading = readSafely(call.read, json);
    if ("value" in reading) return reading;
    const id = isObject(json) && typeof json.id === "string" && json.id ? json.id : undefined;
    return describeUnusable(label, answer, `the answer does not fit: ${reading.problem}`, id);
  }
}

/** Whatever goes wrong once a request was sent is a failure of its call, or the caller would not know that it was sent. */
function readSafely<T>(read: Reader<T>, json: unknown): ReturnType<Reader<T>> {
  try {
    return read(json);
  } catch {
    return { problem: "it cannot be read" };
  }
}

/** A request that passed every check. */
interface Prepared extends FailingCall, Omit<ExchangeRequest, "signal"> {
  readonly deadline: number;
}

/** A refused request that is sent again when its turn comes. */
const waitsForItsTurn = { error: undefined } as const;

type Attempt<T> = { readonly value: T } | FailedCall | typeof waitsForItsTurn;

const describeCancelled = ({ label }: FailingCall): ApiError =>
  new ApiError(label, "cancelled by the caller", { outcome: "not sent" });

/** @throws Error that quotes nothing of the body */
function writeBody(name: OperationName, body: object): string {
  try {
    return stringifyExact(body);
  } catch {
    throw new Error(`${name}: the request cannot be written as JSON: it refers to itself or is nested too deeply`);
  }
}
