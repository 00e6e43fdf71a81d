/** A clock whose second has not changed for longer, in milliseconds, stands still: the response comes from a cache. */
const longestSecond = 2_000;

/** The header `Date` has whole seconds, so on average it is half a second too early. */
const averageAge = 500;

/**
 * The service's clock, according to the header `Date` of its responses. It sends no requests of its own. It is accurate to
 * about a second plus the time that a response takes, even if somebody sets this machine's clock.
 */
export class ServiceClock {
  readonly #now: () => number;
  /** How far it is ahead of this machine's monotonic clock, in milliseconds. */
  #ahead: number | undefined;
  /** How many responses have told the time. */
  readings = 0;
  /** The newest time that a response stated, and when it was first stated. */
  #stated = { time: Number.NaN, arrived: 0 };

  /** @param now this machine's clock: milliseconds since the epoch */
  constructor(now: () => number) {
    this.#now = now;
  }

  /**
   * How far the service's clock is ahead of this machine's, in milliseconds; negative if it is behind. Undefined
   * while no response states a time that can be used.
   */
  offset(): number | undefined {
    const there = this.#there();
    return there === undefined ? undefined : there - this.#now();
  }

  /** The time according to the service's clock, or to this machine's while `offset` is undefined. */
  now(): Date {
    return new Date(this.#there() ?? this.#now());
  }

  /**
   * Reads the time of a response. The date of a response from a cache says when it was stored: a response with the header `Age`
   * is ignored, and after a date that does not advance, the service's time counts as not known.
   * @param date the header `Date`
   * @param arrived when its headers arrived, by `performance.now()`
   * @param age the header `Age`
   */
  note(date: string | undefined, arrived: number, age?: string): void {
    const there = Date.parse(date ?? "");
    if (Number.isNaN(there) || age !== undefined) return;
    if (there !== this.#stated.time) this.#stated = { time: there, arrived };
    this.readings += 1;
    const isStill = arrived - this.#stated.arrived > longestSecond;
    this.#ahead = isStill ? undefined : there + averageAge - arrived;
  }

  #there(): number | undefined {
    return this.#ahead === undefined ? undefined : this.#ahead + performance.now();
  }
}
