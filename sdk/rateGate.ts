import type { ExchangeAnswer } from "./exchange";
import { LearnedLimit } from "./learnedLimit";
import { readRetryAfter } from "./retry";

/** The parts of a gate that tests replace. */
export interface RateGateOptions {
  readonly sleep: (ms: number, signal: AbortSignal) => Promise<void>;
  /** Milliseconds since the epoch. */
  readonly now: () => number;
  /** Receives one line when requests begin to wait. */
  readonly inform?: ((line: string) => void) | undefined;
}

/** The longest wait in milliseconds, for one pause and for all pauses after which nothing got through. */
export const maxWait = 300_000;

/** How many requests are sent at once while nothing is known of the limit. */
const firstBurst = 8;
/** The most that are then: so many are refused at once when the limit turns out to be reached. */
const largestBurst = 24;
/** Resets are given in whole seconds, so those of one window differ by less than two. */
const sameWindow = 2_000;

type Answer = Pick<ExchangeAnswer, "status" | "headers">;

/** A request's leave to be sent, with what had happened by then. */
export interface Pass {
  readonly refusedPauses: number;
  readonly answers: number;
}

/** How many more requests get through until a moment. */
interface Window {
  left: number;
  readonly ends: number;
}

/** Why nothing is sent until a moment: the service refused, or its window is used up as far as is known. */
interface Pause {
  readonly until: number;
  readonly refused: boolean;
}

const none = { count: 0, last: 0, waited: 0, isTold: false };

/**
 * Holds a client's requests while the service takes no more. A refused request (429) had no effect, so it waits for its
 * turn: until `Retry-After`, else `X-RateLimit-Reset`, and all others with it. `X-RateLimit-Remaining` tells on every answer
 * how many more get through (extended interface, "Errors and limits"), so hardly any is sent only to be refused.
 */
export class RateGate {
  readonly #options: RateGateOptions;
  readonly #queue: (() => void)[] = [];
  #underWay = 0;
  #answers = 0;
  /** At most so many at once while the number that gets through is not known. */
  #burst = firstBurst;
  #window: Window | undefined;
  readonly #learned = new LearnedLimit();
  #pause: Pause | undefined;
  #sleeping: AbortController | undefined;
  #refusedPauses = 0;
  /** Refusals after which nothing got through: how many, since when, how long was waited for them, and whether that was told. */
  #refusals = none;

  constructor(options: RateGateOptions) {
    this.#options = options;
  }

  /**
   * Resolves when the request may be sent; `leave` must follow.
   * @param signal ends the wait, which is then rejected with its reason
   * @param refused whether it was in before: it goes ahead of those that were not, or they could pass it for ever
   */
  enter(signal: AbortSignal | undefined, refused = false): Promise<Pass> {
    return new Promise((resolve, reject) => {
      if (signal?.aborted) return reject(signal.reason);
      const admit = () => {
        signal?.removeEventListener("abort", onAbort);
        resolve({ refusedPauses: this.#refusedPauses, answers: this.#answers });
      };
      const onAbort = () => {
        this.#queue.splice(this.#queue.indexOf(admit), 1);
        // Nobody waits any more: a timer would only keep the process alive.
        if (this.#queue.length === 0) this.#sleeping?.abort();
        reject(signal?.reason);
      };
      signal?.addEventListener("abort", onAbort, { once: true });
      if (refused) this.#queue.unshift(admit);
      else this.#queue.push(admit);
      this.#admitNext();
    });
  }

  /**
   * Takes note of how a request ended.
   * @param answer undefined: none arrived
   * @returns for a refused request the wait in milliseconds that is too long to send it again; undefined in all other cases
   */
  leave(pass: Pass, answer: Answer | undefined): number | undefined {
    this.#underWay -= 1;
    const tooLong = answer?.status === 429 ? this.#countRefusal(pass, answer) : undefined;
    // A failing service says nothing about its limits.
    if (answer && answer.status < 500 && answer.status !== 408 && answer.status !== 429)
      this.#countPassage(pass, answer);
    this.#answers += 1;
    this.#admitNext();
    return tooLong;
  }

  #countPassage({ answers, refusedPauses }: Pass, answer: Answer): void {
    // One that was under way when others were refused does not say that more get through by now.
    const isLate = refusedPauses !== this.#refusedPauses;
    this.#learned.countPassage(isLate ? undefined : this.#refusals);
    if (!isLate) this.#refusals = none;
    const ends = this.#resetOf(answer);
    const left = readNumber(answer.headers["x-ratelimit-remaining"]);
    if (ends === undefined || left === undefined) {
      this.#burst = Math.min(largestBurst, this.#burst + 1);
      return;
    }
    this.#learned.forgetCount();
    this.#burst = Math.min(firstBurst, Math.max(1, readNumber(answer.headers["x-ratelimit-limit"]) ?? firstBurst));
    if (ends <= this.#options.now()) return;
    // Those sent meanwhile may not have been counted yet, so that many fewer may be left; none more are.
    const least = left - this.#underWay - (this.#answers - answers);
    const known = this.#window && Math.abs(this.#window.ends - ends) < sameWindow ? this.#window.left : least;
    this.#window = { left: Math.min(left, Math.max(known, least)), ends };
    if (this.#window.left > 0 && this.#pause && !this.#pause.refused) {
      this.#pause = undefined;
      this.#sleeping?.abort();
    }
  }

  #countRefusal({ refusedPauses }: Pass, answer: Answer): number | undefined {
    // One of several that were under way together: the pause for them was made already.
    if (refusedPauses !== this.#refusedPauses) return undefined;
    const now = this.#options.now();
    if (now - this.#refusals.last > maxWait) this.#refusals = none;
    const reset = this.#resetOf(answer);
    const asked = readRetryAfter(answer.headers["retry-after"], now) ?? (reset === undefined ? undefined : reset - now);
    const { count, waited } = this.#refusals;
    const isTold = this.#refusals.isTold || asked !== undefined;
    const wait = this.#learned.countRefusal(this.#refusals, asked);
    if (waited + wait > maxWait) {
      this.#refusals = { count, last: now, waited, isTold };
      return wait;
    }
    this.#refusals = { count: count + 1, last: now, waited: waited + wait, isTold };
    this.#window = undefined;
    this.#burst = 1;
    this.#refusedPauses += 1;
    this.#sleeping?.abort();
    this.#pause = { until: now + wait, refused: true };
    if (count === 0) this.#tell(wait);
    return undefined;
  }

  /** Lets in as many as may be sent now; where none may until a moment, waits for that. */
  #admitNext(): void {
    while (this.#queue.length > 0 && !this.#sleeping) {
      const now = this.#options.now();
      if (this.#pause) {
        this.#sleepUntil(this.#pause, now);
        return;
      }
      if (this.#window && this.#window.ends <= now) this.#window = undefined;
      if (this.#window && this.#window.left <= 0 && this.#window.ends - now <= maxWait) {
        this.#pause = { until: this.#window.ends, refused: false };
        this.#tell(this.#window.ends - now);
        continue;
      }
      if (this.#window) this.#window.left -= 1;
      else if (this.#underWay >= this.#mostAtOnce) return;
      this.#underWay += 1;
      this.#queue.shift()?.();
    }
  }

  /** How many may be under way while the service does not tell how many more get through. */
  get #mostAtOnce(): number {
    return Math.max(1, Math.min(this.#burst, this.#learned.left));
  }

  #sleepUntil(pause: Pause, now: number): void {
    const sleeping = new AbortController();
    this.#sleeping = sleeping;
    const goOn = () => {
      this.#sleeping = undefined;
      if (!sleeping.signal.aborted && this.#pause === pause) {
        this.#pause = undefined;
        this.#window = undefined;
      }
      this.#admitNext();
    };
    this.#options.sleep(Math.max(0, pause.until - now), sleeping.signal).then(goOn, goOn);
  }

  #tell(ms: number): void {
    const seconds = Math.ceil(ms / 1000);
    if (seconds > 1) this.#options.inform?.(`the rate limit of the service is used up: requests wait for ${seconds} s`);
  }

  /** When the window of an answer ends, by this side's clock. Clocks differ: the service's own is what it counts by. */
  #resetOf({ headers }: Answer): number | undefined {
    const reset = readNumber(headers["x-ratelimit-reset"]);
    if (reset === undefined) return undefined;
    const now = this.#options.now();
    const answered = Date.parse(headers.date ?? "");
    return now + Math.max(0, reset * 1000 - (Number.isNaN(answered) ? now : answered));
  }
}

const readNumber = (text: string | undefined): number | undefined =>
  text !== undefined && /^\d{1,15}$/.test(text.trim()) ? Number(text) : undefined;
