import { type Dispatcher, EnvHttpProxyAgent } from "undici";
import * as v from "valibot";
import { type ExchangeAnswer, ExchangeError, exchange } from "./exchange";
import { type Ended, type FailedCall, jsonOf, networkFailure, refusal, unusable } from "./failures";
import { type DeadlineKind, deadlineKinds, type OperationName, operations } from "./operations";
import type { Path } from "./path";
import { RetryPolicy } from "./retry";
import type { Settings } from "./settings";
import { stringifyExact } from "./values/exactJson";
import { type AnswerSchema, describeIssue, isObject } from "./values/json";
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
  readonly deadlines?: Partial<Deadlines>;
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
  /** Query parameters. */
  readonly query?: Readonly<Record<string, string>>;
  readonly body?: unknown;
  /** Absent: the body of a success is not looked at. */
  readonly answer?: AnswerSchema<T>;
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
   * @throws ApiError
   */
  async send<T>(name: OperationName, call: Call<T>): Promise<T> {
    const kind = operations[name].deadline;
    const deadline = this.#options.deadlines?.[kind] ?? deadlineKinds[kind].limit;
    const ends = performance.now() + deadline;
    const timeout = AbortSignal.timeout(deadline);
    const signal = call.signal ? AbortSignal.any([timeout, call.signal]) : timeout;
    const ended = () => ({ cancelled: call.signal?.aborted === true, late: timeout.aborted, deadline });
    const sleep = this.#options.sleep ?? defaultSleep;
    this.#retry.callStarted();
    for (let attempt = 1; ; attempt++) {
      const result = await this.#attempt(name, call, signal, ended);
      if ("value" in result) return result.value;
      const wait = this.#retry.delayAfter(attempt, result, ends - performance.now());
      if (wait === undefined) throw result.error;
      await sleep(wait, signal).catch(() => Promise.reject(result.error));
    }
  }

  /** Closes idle connections. Calls under way are finished. */
  close(): Promise<void> {
    return this.#shared.close();
  }

  async #attempt<T>(name: OperationName, call: Call<T>, signal: AbortSignal, ended: () => Ended): Promise<Attempt<T>> {
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
        path: `${base.pathname.replace(/\/$/, "")}${call.path}${searchOf(call.query)}`,
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
    return {
      authorization: `Bearer ${this.#settings.accessToken}`,
      accept: "application/json",
      "user-agent": `pulumi-event-datasets/${version} node/${process.versions.node}`,
      ...(hasBody ? { "content-type": "application/json" } : {}),
    };
  }

  #judge<T>(label: string, repeatable: boolean, call: Call<T>, answer: ExchangeAnswer): Attempt<T> {
    if (answer.status < 200 || answer.status > 299) return refusal(label, repeatable, answer, this.#settings);
    if (!call.answer) return { value: undefined as T };
    const json = jsonOf(answer, call.parse);
    if (json === undefined) return unusable(label, answer, "the answer is not JSON; is this the right base URL?");
    const result = v.safeParse(call.answer, json);
    if (result.success) return { value: result.output };
    const id = isObject(json) && typeof json.id === "string" && json.id ? json.id : undefined;
    return unusable(label, answer, `the answer does not fit: ${describeIssue(result.issues[0])}`, id);
  }
}

const searchOf = (query: Call<unknown>["query"]): string => {
  const search = new URLSearchParams(query).toString();
  return search && `?${search}`;
};

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
