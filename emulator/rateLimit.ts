/** A number of requests per minute for the whole service, counted in fixed windows. */
export class RateLimit {
  readonly #perMinute: number;
  readonly #now: () => Date;
  #minute = Number.NaN;
  #used = 0;

  constructor(perMinute: number, now: () => Date) {
    this.#perMinute = perMinute;
    this.#now = now;
  }

  /** Counts one request. */
  take(): { readonly allowed: boolean; readonly headers: Readonly<Record<string, string>> } {
    const minute = Math.floor(this.#now().getTime() / 60_000);
    if (minute !== this.#minute) this.#used = 0;
    this.#minute = minute;
    this.#used += 1;
    return {
      allowed: this.#used <= this.#perMinute,
      headers: {
        "x-ratelimit-scope": "organization",
        "x-ratelimit-limit": String(this.#perMinute),
        "x-ratelimit-remaining": String(Math.max(0, this.#perMinute - this.#used)),
        "x-ratelimit-reset": String((minute + 1) * 60),
      },
    };
  }
}
