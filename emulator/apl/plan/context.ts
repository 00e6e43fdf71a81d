import type { Expression, Pipeline } from "../ast";
import type { Reader } from "../catalog";
import { placeOf, QueryError, type QueryErrorKind } from "../errors";

/** The request's window of time, in microseconds since 1970: from `start`, up to but without `end`. */
export interface Window {
  readonly start: bigint | undefined;
  readonly end: bigint | undefined;
}

/** The row that a page starts after, or with. */
export interface Cursor {
  readonly micros: bigint;
  readonly sequence: bigint;
  readonly source: bigint;
  readonly items: readonly bigint[];
  readonly inclusive: boolean;
}

/** The same, and which way the list goes. */
export interface After extends Cursor {
  readonly oldestFirst: boolean;
}

export interface Environment {
  readonly text: string;
  readonly now: bigint;
  readonly window: Window;
  /** The window that a query without one has for `bin_auto` and `rate`: that of the data. */
  readonly extent: Window;
  /** Only events beyond this one, for the next page of a list. */
  readonly after: After | undefined;
  /** The way to the datasets; refuses those that the caller may not read. */
  readonly reader: Reader;
}

/** More often than any query reads one dataset. */
const maxReadings = 65_536n;

/** The state of planning one query. */
export class Context {
  readonly scalars = new Map<string, Expression>();
  readonly tables = new Map<string, Pipeline>();
  /** Fields that the query names and no event has, each with the number of times. */
  readonly missing = new Map<string, number>();
  /** Whether the query calls functions that run outside of the database, on the process's one thread for JavaScript. */
  computes = false;
  readonly #steps: string[] = [];
  #names = 0;
  readonly #readings = new Map<number, number>();
  #depth = 0;

  constructor(readonly environment: Environment) {}

  /** A number for the next reading of a dataset: the same each time that one query is planned. */
  nextSource(dataset: number): bigint {
    const reading = this.#readings.get(dataset) ?? 0;
    this.#readings.set(dataset, reading + 1);
    return BigInt(dataset) * maxReadings + BigInt(reading);
  }

  /** A name for SQL that nothing else has. */
  fresh(): string {
    this.#names += 1;
    return `x${this.#names}`;
  }

  /** Makes a SELECT the next step of the query and answers with the step's name. */
  step(select: string): string {
    const name = this.fresh();
    this.#steps.push(`${name} AS (${select})`);
    return name;
  }

  /** A whole statement: the steps so far, then this. */
  statement(select: string): string {
    return this.#steps.length === 0 ? select : `WITH ${this.#steps.join(",\n")}\n${select}`;
  }

  /** Forgets the steps, once they have been made a table. */
  restart(): void {
    this.#steps.length = 0;
  }

  /** Names bound by `let` may name each other, but not in a circle. */
  nested<T>(at: number, work: () => T): T {
    if (this.#depth >= 20) this.fail("semantic", "names bound by let are nested too deeply, or in a circle", at);
    this.#depth += 1;
    try {
      return work();
    } finally {
      this.#depth -= 1;
    }
  }

  fail(kind: QueryErrorKind, reason: string, at: number): never {
    throw new QueryError(kind, reason, at < 0 ? undefined : placeOf(this.environment.text, at));
  }
}
