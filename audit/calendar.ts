import { defined } from "../values/defined";
import { dueOf } from "./rotations";
import { type LiveToken, momentsOf, type Rulebook } from "./tokens";

/** One day (UTC), and how many tokens expire on it or become due for rotation. */
export interface CalendarDay {
  /** `2027-01-31`. */
  readonly day: string;
  readonly expire: number;
  readonly rotate: number;
}

/** When the live tokens expire. */
export interface Calendar {
  /** The days with expiries or rotations within two years after the audit, in order. */
  readonly days: readonly CalendarDay[];
  /** Tokens that expire after these two years. */
  readonly later: number;
  readonly never: number;
  readonly expired: number;
  /** Tokens whose expiry cannot be read. */
  readonly unreadable: number;
  /** The day up to which an expiry is reported as near. */
  readonly expiringUntil?: string;
  /** The day after which an expiry exceeds the policy's `maxLifetime`. */
  readonly longestUntil?: string;
}

const dayLength = 86_400_000;
const span = 730 * dayLength;

/** Collects the days of one audit. */
export class CalendarBuilder {
  readonly #book: Rulebook;
  readonly #days = new Map<string, { expire: number; rotate: number }>();
  readonly #others = { later: 0, never: 0, expired: 0, unreadable: 0 };

  constructor(book: Rulebook) {
    this.#book = book;
  }

  add({ id, expiryTime }: LiveToken): void {
    const { now, declared } = this.#book;
    if (expiryTime === undefined) this.#others.unreadable += 1;
    else if (expiryTime === Number.POSITIVE_INFINITY) this.#others.never += 1;
    else if (expiryTime < now) this.#others.expired += 1;
    else if (expiryTime > now + span) this.#others.later += 1;
    else this.#day(expiryTime).expire += 1;
    const due = dueOf(declared.ids.get(id));
    if (due !== undefined && due >= now && due <= now + span) this.#day(due).rotate += 1;
  }

  build(): Calendar {
    const days = [...this.#days].map(([day, counts]) => ({ day, ...counts }));
    const { expiring, longest } = momentsOf(this.#book);
    return {
      days: days.sort((a, b) => (a.day < b.day ? -1 : 1)),
      ...this.#others,
      ...defined({
        expiringUntil: expiring === undefined ? undefined : dayOf(expiring),
        longestUntil: longest === undefined ? undefined : dayOf(longest),
      }),
    };
  }

  #day(at: number): { expire: number; rotate: number } {
    const day = dayOf(at);
    const counts = this.#days.get(day) ?? { expire: 0, rotate: 0 };
    this.#days.set(day, counts);
    return counts;
  }
}

const dayOf = (at: number): string => new Date(at).toISOString().slice(0, 10);
