import type { ExchangeResponse } from "./exchange";
import { RateWindow } from "./rateWindow";
import { readRetryAfter, readServiceTime } from "./retry";
import type { ReadyOptions } from "./transportOptions";

/** The client's options that a gate uses. */
export type RateGateOptions = Pick<ReadyOptions, "sleep" | "now"> & Partial<Pick<ReadyOptions, "inform">>;

type Response = Pick<ExchangeResponse, "status" | "headers">;

/** How many requests may be under way while it is not known how many the service accepts. */
const atOnce = 8;
/** The longest wait in milliseconds: for one window, and in total for refusals without a passage between them. */
const maxWait = 300_000;
/** The pauses in milliseconds after refusals that do not say how long to wait; each is twice as long as the one before. */
const [shortestPause, longestPause] = [1_000, 60_000];
const noRefusals = { count: 0, last: 0, waited: 0 };

/** Permission to send a request, with the gate's counters at that moment. */
export interface Pass {
  readonly closures: number;
  readonly responses: number;
}

/**
 * Holds back a client's requests of one class while the service accepts no more of them. A refused request (429) had no effect,
 * so it waits and is sent again: after the time of `Retry-After`, else of `X-RateLimit-Reset`, else after a pause that doubles
 * each time. All other requests of its class wait with it. `X-RateLimit-Remaining` announces on every response how many more
 * are accepted (extended interface, "Errors and limits"), so few requests are refused at all. After a refusal, or when the
 * announced number is used up, one request goes first.
 */
export class RateGate {
  readonly #options: RateGateOptions;
  readonly #what: string;
  readonly #longestWait: number;
  /** Requests that were refused go first, or new ones could overtake them forever. */
  readonly #refused = new Set<() => void>();
  readonly #queue = new Set<() => void>();
  readonly #window = new RateWindow();
  /** The refusals since the last passage, the last one's time, and the total of the waits. */
  #refusals = noRefusals;
  /** Whether one request alone must find out what the service accepts, once nothing is announced. */
  #goesAlone = false;
  #underWay = 0;
  #responses = 0;
  /** How often a refusal closed the gate. */
  #closures = 0;
  #sleeping: AbortController | undefined;
  /** When a response arrived, or a pause ended, by a clock that nobody sets. */
  #lastProgress = Number.NEGATIVE_INFINITY;

  /**
   * @param what the name of its requests in a message
   * @param longestWait in milliseconds; a refused request that would wait longer fails at once
   */
  constructor(options: RateGateOptions, what = "requests", longestWait = maxWait) {
    this.#options = options;
    this.#what = what;
    this.#longestWait = Math.min(maxWait, longestWait);
  }

  /**
   * Resolves when the request may be sent; `leave` must follow.
   * @param signal ends the wait, which is then rejected with its reason
   * @param patience how many milliseconds it waits while the service responds to no request at all; "refused": the service
   *   refused this request before, and it waits as long as it takes
   */
  enter(signal: AbortSignal | undefined, patience: number | "refused" = Number.POSITIVE_INFINITY): Promise<Pass> {
    const line = patience === "refused" ? this.#refused : this.#queue;
    return new Promise((resolve, reject) => {
      if (signal?.aborted) return reject(signal.reason);
      const admit = () => {
        stopWaiting();
        resolve({ closures: this.#closures, responses: this.#responses });
      };
      const giveUp = (reason: unknown) => {
        stopWaiting();
        line.delete(admit);
        // A timer that no request needs would only keep the process alive.
        if (this.#waiting === 0) this.#sleeping?.abort();
        reject(reason);
      };
      const limit = patience === "refused" ? Number.POSITIVE_INFINITY : patience;
      const stopPatience = this.#watchPatience(limit, () => giveUp(new Error("the service does not respond")));
      const onAbort = () => giveUp(signal?.reason);
      const stopWaiting = () => {
        stopPatience();
        signal?.removeEventListener("abort", onAbort);
      };
      signal?.addEventListener("abort", onAbort, { once: true });
      line.add(admit);
      this.#admitNext();
    });
  }

  /**
   * Calls back once the service has not responded for this long. A pause that the service asked for does not count.
   * @returns ends that
   */
  #watchPatience(patience: number, onSilence: () => void): () => void {
    if (patience === Number.POSITIVE_INFINITY) return () => undefined;
    const start = performance.now();
    let timer: NodeJS.Timeout;
    const look = () => {
      const since = this.#sleeping ? performance.now() : Math.max(start, this.#lastProgress);
      const left = since + patience - performance.now();
      if (left <= 0) onSilence();
      else timer = setTimeout(look, Math.ceil(left));
    };
    look();
    return () => clearTimeout(timer);
  }

  /**
   * Counts the response to a request.
   * @param response undefined: none arrived
   * @returns for a refused request that must not be sent again: its wait in milliseconds, which is too long
   */
  leave(pass: Pass, response: Response | undefined): number | undefined {
    this.#underWay -= 1;
    if (response) this.#lastProgress = performance.now();
    const tooLong = response?.status === 429 ? this.#countRefusal(pass, response) : undefined;
    // A failing service says nothing about its limits.
    if (response && response.status < 500 && response.status !== 408 && response.status !== 429)
      this.#countPassage(pass, response);
    this.#responses += 1;
    this.#admitNext();
    return tooLong;
  }

  #countPassage(pass: Pass, response: Response): void {
    // A request sent before the last refusal says nothing about the capacity after it.
    if (pass.closures !== this.#closures) return;
    this.#refusals = noRefusals;
    const ends = this.#resetOf(response);
    const left = readNumber(response.headers["x-ratelimit-remaining"]);
    this.#goesAlone = ends !== undefined && left !== undefined;
    if (ends === undefined || left === undefined || ends <= this.#options.now()) return;
    // The service may not have counted the requests that were sent in the meantime.
    const unseen = this.#underWay + (this.#responses - pass.responses);
    if (this.#window.announce(left, ends, unseen)) this.#sleeping?.abort();
  }

  #countRefusal({ closures }: Pass, response: Response): number | undefined {
    // Another request that was under way at the same time closed the gate already.
    if (closures !== this.#closures) return undefined;
    const now = this.#options.now();
    const reset = this.#resetOf(response);
    const asked = readRetryAfter(response.headers, now) ?? (reset === undefined ? undefined : reset - now);
    if (now - this.#refusals.last > maxWait) this.#refusals = noRefusals;
    const { count, waited } = this.#refusals;
    const pause = Math.min(longestPause, shortestPause * 2 ** count);
    const wait = asked === undefined ? pause : count === 0 ? asked : Math.max(asked, pause);
    if (waited + wait > this.#longestWait) return wait;
    this.#refusals = { count: count + 1, last: now, waited: waited + wait };
    this.#closures += 1;
    this.#goesAlone = true;
    this.#window.close(now + wait, count > 0);
    this.#sleeping?.abort();
    return undefined;
  }

  get #waiting(): number {
    return this.#refused.size + this.#queue.size;
  }

  /** Admits as many requests as may be sent now. If there are more, sleeps until the window ends. */
  #admitNext(): void {
    while (this.#waiting > 0 && !this.#sleeping) {
      const rest = this.#window.remaining(this.#options.now());
      if (rest === undefined || !this.#window.take()) {
        if (rest !== undefined && rest <= this.#longestWait) this.#sleep(rest);
        if (this.#sleeping || this.#underWay >= (this.#goesAlone ? 1 : atOnce)) return;
      }
      const line = this.#refused.size > 0 ? this.#refused : this.#queue;
      const [admit] = line;
      if (admit) line.delete(admit);
      this.#underWay += 1;
      admit?.();
    }
  }

  #sleep(wait: number): void {
    const seconds = Math.ceil(wait / 1000);
    if (this.#window.mustTell() && seconds > 1)
      this.#options.inform?.(`the rate limit of the service is used up: ${this.#what} wait for ${seconds} s`);
    const sleeping = new AbortController();
    this.#sleeping = sleeping;
    const wake = () => {
      this.#sleeping = undefined;
      this.#lastProgress = performance.now();
      if (!sleeping.signal.aborted) this.#window.end();
      this.#admitNext();
    };
    this.#options.sleep(wait, sleeping.signal).then(wake, wake);
  }

  /**
   * When the window of a response ends, according to this machine's clock. The service states the end according to its own
   * clock.
   */
  #resetOf({ headers }: Response): number | undefined {
    const reset = readNumber(headers["x-ratelimit-reset"]);
    if (reset === undefined) return undefined;
    const now = this.#options.now();
    return now + Math.max(0, reset * 1000 - readServiceTime(headers, now));
  }
}

const readNumber = (text: string | undefined): number | undefined =>
  text !== undefined && /^\d{1,15}$/.test(text.trim()) ? Number(text) : undefined;
