/** The rate limit of the service. */
export interface RateLimitOptions {
  /** The number of requests in a window, for the whole service. */
  readonly requests: number;
  /** The length of a window in milliseconds. Default: a minute, as in the service. */
  readonly windowMs?: number;
}

/** Counts requests. The count restarts with each window. */
export class RateLimit {
  readonly #options: Required<RateLimitOptions>;
  readonly #now: () => Date;
  #start = Number.NaN;
  #used = 0;

  constructor(options: RateLimitOptions, now: () => Date) {
    this.#options = { windowMs: 60_000, ...options };
    this.#now = now;
  }

  /** Counts one request: whether it is accepted, and the headers of its response. */
  take() {
    const { requests, windowMs } = this.#options;
    const start = Math.floor(this.#now().getTime() / windowMs) * windowMs;
    this.#used = start === this.#start ? this.#used + 1 : 1;
    this.#start = start;
    return {
      allowed: this.#used <= requests,
      headers: {
        "x-ratelimit-scope": "organization",
        "x-ratelimit-limit": String(requests),
        "x-ratelimit-remaining": String(Math.max(0, requests - this.#used)),
        "x-ratelimit-reset": String(Math.ceil((start + windowMs) / 1000)),
      },
    };
  }
}
