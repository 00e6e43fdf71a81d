import { type Dispatcher, EnvHttpProxyAgent } from "undici";
import { type ExchangeAnswer, ExchangeError, exchange } from "./exchange";
import { type Ended, type FailedCall, jsonOf, networkFailure, refusal, unusable } from "./failures";
import { type DeadlineKind, deadlineKinds, type OperationName, operations } from "./operations";
import type { Path } from "./path";
import { checkBody, checkRequest } from "./requests";
import { RetryPolicy } from "./retry";
import type { Settings } from "./settings";
import type { Reader } from "./values/answer";
import { defined } from "./values/defined";
import { stringifyExact } from "./values/exactJson";
import { isObject } from "./values/json";
import { version } from "./version";

/** Deadlines in milliseconds; each covers one call with all its attempts and the whole answer. */
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
  readonly deadlines?: { readonly [Kind in DeadlineKind]?: number | undefined } | undefined;
  /** Receives one line an attempt: method, path, status, time. Never a header or a body. */
  readonly debug?: ((line: string) => void) | undefined;
  /** Waits between attempts. */
  readonly sleep?: (ms: number, signal: AbortSignal) => Promise<void>;
  readonly random?: () => number;
}

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
  /** Reads the body of a success. Absent: it is not looked at. */
  readonly read?: Reader<T>;
  /** How the body of a success is parsed. Default `JSON.parse`. */
  readonly parse?: (text: string) => unknown;
}

/** The one place where requests leave: credential, deadline, size cap, retry, proxy variables, debug lines. */
export class Transport {
  readonly #settings: Settings;
  readonly #options: TransportOptions;
  readonly #retry: RetryPolicy;
  readonly #shared: Dispatcher = new EnvHttpProxyAgent();

  constructor(settings: Settings, options: TransportOptions = {}) {
    this.#settings = settings;
    this.#options = options;
    this.#retry = new RetryPolicy(options.random);
  }

  /**
   * Makes the call, again after failures that cannot have had an effect, until its deadline.
   * @throws ApiError; Error before anything is sent if the profile does not have the operation, a field or a parameter
   */
  async send<T>(name: OperationName, call: Call<T>): Promise<T> {
    const search = checkRequest(this.#settings, name, call).toString();
    const target = `${call.path}${search && `?${search}`}`;
    const kind = operations[name].deadline;
    const deadline = this.#options.deadlines?.[kind] ?? deadlineKinds[kind].limit;
    const ends = performance.now() + deadline;
    const timeout = AbortSignal.timeout(deadline);
    const signal = call.signal ? AbortSignal.any([timeout, call.signal]) : timeout;
    const ended = () => ({ cancelled: call.signal?.aborted === true, late: timeout.aborted, deadline });
    const sleep = this.#options.sleep ?? defaultSleep;
    this.#retry.callStarted();
    for (let attempt = 1; ; attempt++) {
      const result = await this.#attempt(name, target, call, signal, ended);
      if ("value" in result) return result.value;
      const wait = this.#retry.delayAfter(attempt, result, ends - performance.now());
      if (wait === undefined) throw result.error;
      await sleep(wait, signal).catch(() => Promise.reject(result.error));
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
    return this.#shared.close();
  }

  async #attempt<T>(
    name: OperationName,
    target: string,
    call: Call<T>,
    signal: AbortSignal,
    ended: () => Ended,
  ): Promise<Attempt<T>> {
    const { method, repeatable, maxBytes, deadline } = operations[name];
    const label = `${method} ${call.path}`;
    const started = performance.now();
    const log = (outcome: string | number) =>
      this.#options.debug?.(`event-datasets ${label} ${outcome} ${Math.round(performance.now() - started)}ms`);
    // A kept-alive connection can be closed by the service while a request is on its way, and whether a create was
    // carried out is then unknown: a create gets a connection of its own.
    const dispatcher = repeatable ? this.#shared : new EnvHttpProxyAgent();
    try {
      const base = new URL(this.#settings.baseUrl);
      const answer = await exchange(dispatcher, {
        origin: base.origin,
        path: `${base.pathname.replace(/\/$/, "")}${target}`,
        method,
        headers: this.#headers(call.body !== undefined),
        body: call.body === undefined ? null : stringifyExact(call.body),
        maxBytes,
        silence: repeatable ? Math.ceil(ended().deadline * deadlineKinds[deadline].silence) : 0,
        signal,
      });
      log(answer.status);
      return this.#judge(label, repeatable, call, answer);
    } catch (e) {
      if (!(e instanceof ExchangeError)) throw e;
      log(e.status ?? "no answer");
      return networkFailure(label, repeatable, e, ended());
    } finally {
      // The answer is in; how the connection ends is of no interest any more.
      if (dispatcher !== this.#shared) void dispatcher.destroy();
    }
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

  #judge<T>(label: string, repeatable: boolean, call: Call<T>, answer: ExchangeAnswer): Attempt<T> {
    if (answer.status < 200 || answer.status > 299) return refusal(label, repeatable, answer, this.#settings);
    // Nothing is expected (extended interface, "Tokens", "Annotations"), but a page of whatever stands in between is not the
    // service's: a token that it is believed of would be forgotten alive.
    if (!call.read && answer.body.length === 0) return { value: undefined as T };
    const json = jsonOf(answer, call.parse);
    if (json === undefined) return unusable(label, answer, "the answer is not JSON; is this the right base URL?");
    if (!call.read) return { value: undefined as T };
    const reading = call.read(json);
    if ("value" in reading) return reading;
    const id = isObject(json) && typeof json.id === "string" && json.id ? json.id : undefined;
    return unusable(label, answer, `the answer does not fit: ${reading.problem}`, id);
  }
}

type Attempt<T> = { readonly value: T } | FailedCall;

const defaultSleep = (ms: number, signal: AbortSignal) =>
  new Promise<void>((resolve, reject) => {
    const onAbort = () => {
      clearTimeout(timer);
      reject(signal.reason);
    };
    const timer = setTimeout(() => {
      signal.removeEventListener("abort", onAbort);
      resolve();
    }, ms);
    signal.addEventListener("abort", onAbort, { once: true });
  });
