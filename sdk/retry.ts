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
/** The longest wait, in milliseconds, that a service may ask for before an attempt; its error is reported otherwise. */
export const maxRetryAfter = 20_000;

/**
 * Decides whether and when a failed attempt is made again: at most three attempts, full jitter, and a budget shared by
 * all calls of a client. The budget starts with ten retries and earns a tenth per call, so a service that answers
 * everything with 503 sees hardly more requests than calls. Refusals with 429 are the rate gate's.
 */
export class RetryPolicy {
  readonly #random: () => number;
  #budget = 10;

  constructor(random: () => number = Math.random) {
    this.#random = random;
  }

  /** Counts a call; to be called once for each, before its first attempt. */
  countCall(): void {
    this.#budget = Math.min(10, this.#budget + 0.1);
  }

  /** Milliseconds to wait before the next attempt; undefined: the failure is final. `attempt` counts from 1. */
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

/** The wait of a `Retry-After` header (seconds or a date), in milliseconds. */
export function readRetryAfter(text: string | undefined, now: number): number | undefined {
  const after = text?.trim();
  if (!after) return undefined;
  const wait = /^\d+$/.test(after) ? Number(after) * 1000 : Date.parse(after) - now;
  return Number.isNaN(wait) ? undefined : Math.max(0, wait);
}
