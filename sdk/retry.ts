/** The facts about a failed attempt that decide whether it is retried. */
export interface FailedAttempt {
  /** Whether a retry is safe and could succeed. */
  readonly retryable: boolean;
  /** The wait that the service asked for, in milliseconds. */
  readonly retryAfter?: number | undefined;
}

const maxAttempts = 3;
const baseDelay = 250;
const maxDelay = 4_000;
/** The longest wait, in milliseconds, that a service may ask for before a retry. If it asks for more, the error is final. */
export const maxRetryAfter = 20_000;

/**
 * Decides whether and when a failed attempt is retried: at most three attempts, full jitter, and a budget shared by all calls
 * of a client. The budget starts with ten retries and earns a tenth of one for each finished call, so a service that responds
 * to everything with 503 receives hardly more requests than there are calls. The rate gate handles refusals with 429.
 */
export class RetryPolicy {
  readonly #random: () => number;
  #budget = 10;

  constructor(random: () => number = Math.random) {
    this.#random = random;
  }

  /** Counts a finished call, whatever its outcome. */
  countFinished(): void {
    this.#budget = Math.min(10, this.#budget + 0.1);
  }

  /** Milliseconds to wait before the next attempt; undefined if the failure is final. `attempt` counts from 1. */
  delayAfter(attempt: number, failure: FailedAttempt, remaining: number): number | undefined {
    const { retryable, retryAfter } = failure;
    if (!retryable || attempt >= maxAttempts || this.#budget < 1) return undefined;
    if (retryAfter !== undefined && retryAfter > maxRetryAfter) return undefined;
    const jitter = this.#random() * Math.min(maxDelay, baseDelay * 2 ** (attempt - 1));
    const delay = Math.max(retryAfter ?? 0, jitter);
    if (delay >= remaining) return undefined;
    this.#budget -= 1;
    return delay;
  }
}

type Times = Readonly<Partial<Record<"date" | "retry-after", string | undefined>>>;

/**
 * The service's time when it wrote a response, in milliseconds since the epoch. If the response does not state it, this
 * machine's time.
 */
export function readServiceTime({ date }: Times, now: number): number {
  const time = Date.parse(date ?? "");
  return Number.isNaN(time) ? now : time;
}

/**
 * The wait that the header `Retry-After` asks for, in milliseconds. The header has seconds, or a date according to the
 * service's clock.
 */
export function readRetryAfter(headers: Times, now: number): number | undefined {
  const after = headers["retry-after"]?.trim();
  if (!after) return undefined;
  const seconds = /^\d+(\.\d+)?$/.test(after);
  const wait = seconds ? Number(after) * 1000 : Date.parse(after) - readServiceTime(headers, now);
  return Number.isNaN(wait) ? undefined : Math.max(0, wait);
}
