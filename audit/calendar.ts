import { dueOf } from "./rotations";
import type { LiveToken, Rulebook } from "./tokens";

/** How many live tokens expire in a month (UTC), or become due for rotation. */
export interface CalendarMonth {
  /** `2027-01`. */
  readonly month: string;
  readonly expire: number;
  readonly rotate: number;
}

/** Two years. */
const span = 730 * 86_400_000;

/** Counts the live tokens of one audit by month. */
export class Calendar {
  readonly #book: Rulebook;
  readonly #months = new Map<string, { expire: number; rotate: number }>();

  constructor(book: Rulebook) {
    this.#book = book;
  }

  add({ id, expiryTime }: LiveToken): void {
    this.#count("expire", expiryTime);
    this.#count("rotate", dueOf(this.#book.declared.ids.get(id)));
  }

  months(): CalendarMonth[] {
    const months = [...this.#months].map(([month, counts]) => ({ month, ...counts }));
    return months.sort((a, b) => (a.month < b.month ? -1 : 1));
  }

  #count(kind: "expire" | "rotate", at: number | undefined): void {
    const { now } = this.#book;
    if (at === undefined || at < now || at > now + span) return;
    const month = new Date(at).toISOString().slice(0, 7);
    const counts = this.#months.get(month) ?? { expire: 0, rotate: 0 };
    counts[kind] += 1;
    this.#months.set(month, counts);
  }
}
