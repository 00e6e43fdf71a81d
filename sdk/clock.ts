/** A response's own time, and when it arrived here. */
interface Reading {
  /** By the service's clock: milliseconds since the epoch. */
  readonly there: number;
  /** By a clock of this machine that nobody sets: milliseconds. */
  readonly arrived: number;
}

/** The header `Date` has whole seconds, so it is on average half a second old when it is written. */
const averageAge = 500;

/**
 * The service's clock, as far as its responses tell it: each has a header `Date`. Nothing is sent for it. It is right to
 * about a second and the time that a response takes to arrive, and goes on rightly when this machine's clock is set.
 */
export class ServiceClock {
  readonly #now: () => number;
  #newest: Reading | undefined;

  /** @param now this machine's clock: milliseconds since the epoch */
  constructor(now: () => number) {
    this.#now = now;
  }

  /**
   * How far the service's clock is ahead of this machine's, in milliseconds; less than 0 where it is behind. Undefined until
   * a response told the time.
   */
  offset(): number | undefined {
    const there = this.#there();
    return there === undefined ? undefined : there - this.#now();
  }

  /** The time by the service's clock; by this machine's until a response told the time. */
  now(): Date {
    return new Date(this.#there() ?? this.#now());
  }

  /**
   * Takes note of a response.
   * @param date the header `Date`
   * @param arrived when its headers arrived, by `performance.now()`
   */
  note(date: string | undefined, arrived: number): void {
    const there = Date.parse(date ?? "");
    if (Number.isNaN(there) || (this.#newest && this.#newest.arrived > arrived)) return;
    this.#newest = { there: there + averageAge, arrived };
  }

  #there(): number | undefined {
    return this.#newest && this.#newest.there + (performance.now() - this.#newest.arrived);
  }
}
