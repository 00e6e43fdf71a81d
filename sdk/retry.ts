/** A failed attempt, as far as retrying is concerned. */
export interface FailedAttempt {
  /** Whether sending again is safe and makes sense. */
  readonly retryable: boolean;
  /** The wait that the service asked for, in milliseconds. */
  readonly retryAfter?: number | undefined;
}

const maxAttempts = 3;
const baseDelay = 250;
const maxDelay = 4_000;
/** A service that asks for a longer wait gets its error reported instead. */
const maxRetryAfter = 20_000;

/**
 * Decides whether and when a failed attempt is made again: at most three attempts, full jitter, and a budget shared by
 * all calls of a client. The budget starts with ten retries and earns a tenth per call, so a service that answers
 * everything with 429 or 503 sees hardly more requests than calls.
 */
export class RetryPolicy {
  #budget = 10;

  constructor(private readonly random: () => number = Math.random) {}

  /** Counts a call; to be called once for each, before its first attempt. */
  callStarted(): void {
    this.#budget = Math.min(10, this.#budget + 0.1);
  }

  /** Milliseconds to wait before the next attempt; undefined: the failure is final. `attempt` counts from 1. */
  delayAfter(attempt: number, failure: FailedAttempt, remaining: number): number | undefined {
    const { retryable, retryAfter } = failure;
    if (!retryable || attempt >= maxAttempts || this.#budget < 1) return undefined;
    if (retryAfter !== undefined && retryAfter > maxRetryAfter) return undefined;
    const jitter = this.random() * Math.min(maxDelay, baseDelay * 2 ** (attempt - 1));
    const delay = Math.max(retryAfter ?? 0, jitter);
    if (delay >= remaining) return undefined;
    this.#budget -= 1;
    return delay;
  }
}

/**
 * The wait that an answer's headers ask for, in milliseconds: `Retry-After` (seconds or a date), else
 * `X-RateLimit-Reset` (seconds since the epoch; extended interface, "Errors and limits").
 */
export function retryAfterOf(headers: Record<string, string | undefined>, now: number): number | undefined {
  const after = headers["retry-after"]?.trim();
  if (after) {
    const wait = /^\d+$/.test(after) ? Number(after) * 1000 : Date.parse(after) - now;
    if (!Number.isNaN(wait)) return Math.max(0, wait);
  }
  const reset = headers["x-ratelimit-reset"]?.trim();
  return reset && /^\d+$/.test(reset) ? Math.max(0, Number(reset) * 1000 - now) : undefined;
}
