import { boolean, type Check, checkShape, integer } from "./fields";
import { badField } from "./httpError";
import type { JsonObject } from "./json";

/** How many requests the service accepts, and how its responses show that. */
export interface RateLimitOptions {
  /** The number of requests in a window, for the whole service. */
  readonly requests: number;
  /** The length of a window in milliseconds; a minute if not given, as the service counts. */
  readonly windowMs?: number;
  /**
   * `fixed`: the count restarts with each window. `sliding`: the window before each request counts.
   * Fixed if not given.
   */
  readonly window?: "fixed" | "sliding";
  /** The form of `Retry-After` in refusals; none if not given, as in the service. */
  readonly retryAfter?: "seconds" | "date" | "none";
  /** Whether responses have `X-RateLimit-…`; the default depends on the profile. */
  readonly headers?: boolean;
}

/** The outcome for one request. */
export interface Quota {
  readonly allowed: boolean;
  /** Headers for the response. */
  readonly headers: Readonly<Record<string, string>>;
}

interface Window {
  readonly remaining: number;
  /** When requests are accepted again, in milliseconds since 1970. */
  readonly reset: number;
  readonly allowed: boolean;
}

/** Counts requests. */
export class RateLimit {
  readonly #options: RateLimitOptions;
  readonly #now: () => Date;
  readonly #take: (now: number) => Window;

  constructor(options: RateLimitOptions, now: () => Date) {
    const { requests, windowMs = 60_000, window = "fixed" } = options;
    this.#options = options;
    this.#now = now;
    this.#take = window === "fixed" ? countFixed(requests, windowMs) : countSliding(requests, windowMs);
  }

  /** Counts one request. */
  take(): Quota {
    const now = this.#now().getTime();
    const { allowed, remaining, reset } = this.#take(now);
    const { requests, retryAfter = "none", headers = true } = this.#options;
    const told = {
      "x-ratelimit-scope": "organization",
      "x-ratelimit-limit": String(requests),
      "x-ratelimit-remaining": String(remaining),
      "x-ratelimit-reset": String(Math.ceil(reset / 1000)),
    };
    const retry = {
      none: {},
      seconds: { "retry-after": String(Math.ceil((reset - now) / 1000)) },
      date: { "retry-after": new Date(Math.ceil(reset / 1000) * 1000).toUTCString() },
    };
    return { allowed, headers: { ...(headers && told), ...(!allowed && retry[retryAfter]) } };
  }
}

function countFixed(requests: number, windowMs: number): (now: number) => Window {
  let start = Number.NaN;
  let used = 0;
  return (now) => {
    const current = Math.floor(now / windowMs) * windowMs;
    if (current !== start) used = 0;
    start = current;
    used += 1;
    return { allowed: used <= requests, remaining: Math.max(0, requests - used), reset: start + windowMs };
  };
}

/** A refused request does not count; otherwise a client that keeps retrying would never get through. */
function countSliding(requests: number, windowMs: number): (now: number) => Window {
  const taken: number[] = [];
  return (now) => {
    while (taken[0] !== undefined && taken[0] <= now - windowMs) taken.shift();
    const allowed = taken.length < requests;
    if (allowed) taken.push(now);
    return { allowed, remaining: requests - taken.length, reset: (taken[0] ?? now) + windowMs };
  };
}

const positive: Check = (value, field) => {
  integer(value, field);
  if (Number(value) < 1) throw badField(field, "must be 1 or more");
};

const oneOf =
  (...values: readonly string[]): Check =>
  (value, field) => {
    if (!values.some((allowed) => allowed === value)) throw badField(field, `must be one of ${values.join(", ")}`);
  };

/**
 * The limit that a request body describes; none if the body is empty.
 * @throws HttpError
 */
export function rateLimitOptionsOf(body: JsonObject): RateLimitOptions | undefined {
  if (Object.keys(body).length === 0) return undefined;
  checkShape(body, {
    fields: {
      requests: positive,
      windowMs: positive,
      window: oneOf("fixed", "sliding"),
      retryAfter: oneOf("seconds", "date", "none"),
      headers: boolean,
    },
    required: ["requests"],
  });
  return body as unknown as RateLimitOptions; // the shape above is that of the options
}
