/** The header `Date` has whole seconds, so on average it is half a second too early. */
const averageAge = 500;

/**
 * The service's clock, according to the header `Date` of its responses. It sends no requests of its own. It is accurate to about a
 * second plus the time that a response travels, and stays so when this machine's clock is set.
 */
export class ServiceClock {
  readonly #now: () => number;
  /** How far it is ahead of this machine's monotonic clock, in milliseconds. */
  #ahead: number | undefined;

  /** @param now this machine's clock: milliseconds since the epoch */
  constructor(now: () => number) {
    this.#now = now;
  }

  /**
   * How far the service's clock is ahead of this machine's, in milliseconds; negative if it is behind. Undefined
   * until a response has stated the time.
   */
  offset(): number | undefined {
    const there = this.#there();
    return there === undefined ? undefined : there - this.#now();
  }

  /** The time by the service's clock; by this machine's until a response has stated the time. */
  now(): Date {
    return new Date(this.#there() ?? this.#now());
  }

  /**
   * Reads the time of a response.
   * @param date the header `Date`
   * @param arrived when its headers arrived, by `performance.now()`
   */
  note(date: string | undefined, arrived: number): void {
    const there = Date.parse(date ?? "");
    if (!Number.isNaN(there)) this.#ahead = there + averageAge - arrived;
  }

  #there(): number | undefined {
    return this.#ahead === undefined ? undefined : this.#ahead + performance.now();
  }
}
