import type { ExchangeResponse } from "./exchange";
import { LearnedLimit } from "./learnedLimit";
import { readRetryAfter, readServiceTime } from "./retry";

/** The parts of a gate that tests replace. */
export interface RateGateOptions {
  readonly sleep: (ms: number, signal: AbortSignal) => Promise<void>;
  /** Milliseconds since the epoch. */
  readonly now: () => number;
  /** Receives one line when requests begin to wait. */
  readonly inform?: ((line: string) => void) | undefined;
}

/** The longest wait in milliseconds: for one window, and in total for refusals without a passage between them. */
export const maxWait = 300_000;

/** How many requests may be under way at first if the service does not announce its limit. */
const firstBurst = 8;
/** The most that may then be under way: the service refuses up to this many at once when its limit is reached. */
const largestBurst = 24;
/** Resets are whole seconds, so those of one window differ by less than two. */
const sameWindow = 2_000;

type Response = Pick<ExchangeResponse, "status" | "headers">;

/** Permission to send a request, with the gate's counters at that moment. */
export interface Pass {
  readonly closures: number;
  readonly responses: number;
}

/** How a request waits for its turn. */
export interface Turn {
  /** Whether the request was refused before: it goes first, or new requests could overtake it forever. */
  readonly refused?: boolean;
  /** How many milliseconds it waits while the service responds to no request at all. Default: without end. */
  readonly patience?: number;
}

/** How many more requests the service accepts until a moment. A refusal makes a window in which nothing is left. */
interface Window {
  left: number;
  readonly ends: number;
  /** Whether the user was informed that requests wait for its end. */
  isTold: boolean;
}

const noRefusals = { count: 0, last: 0, waited: 0, isTold: false };

/**
 * Holds a client's requests while the service accepts no more. A refused request (429) had no effect, so it waits and
 * is sent again: after `Retry-After`, else `X-RateLimit-Reset`. All other requests wait with it.
 * `X-RateLimit-Remaining` announces on every response how many more are accepted (extended interface, "Errors and
 * limits"), so few requests are refused at all.
 */
export class RateGate {
  readonly #options: RateGateOptions;
  readonly #queue: (() => void)[] = [];
  readonly #learned = new LearnedLimit();
  #underWay = 0;
  #responses = 0;
  /** Limits the requests under way while the service does not announce how many it accepts. */
  #burst = firstBurst;
  #window: Window | undefined;
  #sleeping: AbortController | undefined;
  /** How often a refusal closed the gate. */
  #closures = 0;
  /** The refusals since the last passage. */
  #refusals = noRefusals;
  /** When a response arrived, or a pause ended, by a clock that nobody sets. */
  #lastProgress = Number.NEGATIVE_INFINITY;

  constructor(options: RateGateOptions) {
    this.#options = options;
  }

  /**
   * Resolves when the request may be sent; `leave` must follow.
   * @param signal ends the wait, which is then rejected with its reason
   */
  enter(
    signal: AbortSignal | undefined,
    { refused = false, patience = Number.POSITIVE_INFINITY }: Turn = {},
  ): Promise<Pass> {
    return new Promise((resolve, reject) => {
      if (signal?.aborted) return reject(signal.reason);
      const admit = () => {
        stopWaiting();
        resolve({ closures: this.#closures, responses: this.#responses });
      };
      const giveUp = (reason: unknown) => {
        stopWaiting();
        this.#queue.splice(this.#queue.indexOf(admit), 1);
        // A timer that no request needs would only keep the process alive.
        if (this.#queue.length === 0) this.#sleeping?.abort();
        reject(reason);
      };
      const stopPatience = this.#watchPatience(patience, () => giveUp(new Error("the service is silent")));
      const onAbort = () => giveUp(signal?.reason);
      const stopWaiting = () => {
        stopPatience();
        signal?.removeEventListener("abort", onAbort);
      };
      signal?.addEventListener("abort", onAbort, { once: true });
      if (refused) this.#queue.unshift(admit);
      else this.#queue.push(admit);
      this.#admitNext();
    });
  }

  /**
   * Calls back once the service has been silent for so long. A pause is not silence: the service asked for it.
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
    if (pass.closures !== this.#closures) {
      this.#learned.countPassage(undefined);
      return;
    }
    this.#learned.countPassage(this.#refusals);
    this.#refusals = noRefusals;
    const ends = this.#resetOf(response);
    const left = readNumber(response.headers["x-ratelimit-remaining"]);
    if (ends === undefined || left === undefined) {
      this.#burst = Math.min(largestBurst, this.#burst + 1);
      return;
    }
    this.#learned.forgetCount();
    this.#burst = Math.min(firstBurst, Math.max(1, readNumber(response.headers["x-ratelimit-limit"]) ?? firstBurst));
    if (ends <= this.#options.now()) return;
    // The service may not have counted the requests that were sent in the meantime.
    const least = left - this.#underWay - (this.#responses - pass.responses);
    const known = this.#window && Math.abs(this.#window.ends - ends) < sameWindow ? this.#window : undefined;
    const newLeft = Math.min(left, Math.max(known?.left ?? least, least));
    this.#window = { left: newLeft, ends, isTold: known?.isTold ?? false };
    if (newLeft > 0) this.#sleeping?.abort();
  }

  #countRefusal({ closures }: Pass, response: Response): number | undefined {
    // Another request that was under way at the same time closed the gate already.
    if (closures !== this.#closures) return undefined;
    const now = this.#options.now();
    if (now - this.#refusals.last > maxWait) this.#refusals = noRefusals;
    const reset = this.#resetOf(response);
    const asked = readRetryAfter(response.headers, now) ?? (reset === undefined ? undefined : reset - now);
    const { count, waited } = this.#refusals;
    const isTold = this.#refusals.isTold || asked !== undefined;
    const wait = this.#learned.countRefusal(this.#refusals, asked);
    if (waited + wait > maxWait) {
      this.#refusals = { count, last: now, waited, isTold };
      return wait;
    }
    this.#refusals = { count: count + 1, last: now, waited: waited + wait, isTold };
    this.#closures += 1;
    this.#burst = 1;
    this.#window = { left: 0, ends: now + wait, isTold: count > 0 };
    this.#sleeping?.abort();
    return undefined;
  }

  /** Admits as many requests as may be sent now. If there are more, sleeps until the window ends. */
  #admitNext(): void {
    while (this.#queue.length > 0 && !this.#sleeping) {
      const now = this.#options.now();
      if (this.#window && this.#window.ends <= now) this.#window = undefined;
      if (this.#window && this.#window.left > 0) this.#window.left -= 1;
      else if (this.#window && this.#window.ends - now <= maxWait) {
        this.#sleepUntilEnd(this.#window, now);
        return;
      } else if (this.#underWay >= Math.max(1, Math.min(this.#burst, this.#learned.left))) return;
      this.#underWay += 1;
      this.#queue.shift()?.();
    }
  }

  #sleepUntilEnd(window: Window, now: number): void {
    const wait = window.ends - now;
    if (!window.isTold) this.#tell(wait);
    window.isTold = true;
    const sleeping = new AbortController();
    this.#sleeping = sleeping;
    const wake = () => {
      this.#sleeping = undefined;
      this.#lastProgress = performance.now();
      if (!sleeping.signal.aborted) this.#window = undefined;
      this.#admitNext();
    };
    this.#options.sleep(wait, sleeping.signal).then(wake, wake);
  }

  #tell(ms: number): void {
    const seconds = Math.ceil(ms / 1000);
    if (seconds > 1) this.#options.inform?.(`the rate limit of the service is used up: requests wait for ${seconds} s`);
  }

  /** When the window of a response ends, by this machine's clock. The service writes the end by its own clock. */
  #resetOf({ headers }: Response): number | undefined {
    const reset = readNumber(headers["x-ratelimit-reset"]);
    if (reset === undefined) return undefined;
    const now = this.#options.now();
    return now + Math.max(0, reset * 1000 - readServiceTime(headers, now));
  }
}

const readNumber = (text: string | undefined): number | undefined =>
  text !== undefined && /^\d{1,15}$/.test(text.trim()) ? Number(text) : undefined;
