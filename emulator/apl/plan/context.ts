import type { Expression, Pipeline } from "../ast";
import type { Reader } from "../catalog";
import { placeOf, QueryError, type QueryErrorKind } from "../errors";
import type { Relation } from "./relation";

/** The request's time window, in microseconds since 1970; `end` is not part of it. */
export interface Window {
  readonly start: bigint | undefined;
  readonly end: bigint | undefined;
}

/** The position of a row of events; unique in a result. */
export interface Position {
  readonly micros: bigint;
  /** The position of its event in the dataset. */
  readonly sequence: bigint;
  /** The dataset, and the number of the scan. */
  readonly source: bigint;
}

/** The row that a page starts after, or with. */
export interface Cursor extends Position {
  readonly inclusive: boolean;
}

/** The row and the order of the list. */
export interface After extends Cursor {
  readonly oldestFirst: boolean;
}

export interface Environment {
  readonly text: string;
  readonly now: bigint;
  readonly window: Window;
  /** The time range of the data. `bin_auto` and `rate` use it if the query has no window. */
  readonly extent: Window;
  /** For the next page of a list: only events beyond this one. */
  readonly after: After | undefined;
  /** Access to the datasets; it refuses datasets that the caller may not read. */
  readonly reader: Reader;
}

/** Some functions use an argument twice, so nested calls could grow without bound. */
export const maxSql = 300_000;

/** More often than any query reads the same dataset. */
const maxReadings = 65_536n;

/** The state of the planner for one query. */
export class Context {
  readonly scalars = new Map<string, Expression>();
  readonly tables = new Map<string, Pipeline>();
  /** Fields that the query names but no event has, with the number of uses. */
  readonly missing = new Map<string, number>();
  /** Whether the query calls computed functions, which run on the process's only JavaScript thread. */
  computes = false;
  readonly #steps: string[] = [];
  #names = 0;
  readonly #readings = new Map<number, number>();
  #depth = 0;

  constructor(
    readonly environment: Environment,
    /** Plans a pipeline inside an expression. */
    readonly planTable: (body: Pipeline) => Relation,
  ) {}

  /** A number for the next scan of a dataset; the same each time the query is planned. */
  nextSource(dataset: number): bigint {
    const reading = this.#readings.get(dataset) ?? 0;
    this.#readings.set(dataset, reading + 1);
    return BigInt(dataset) * maxReadings + BigInt(reading);
  }

  /** Returns an unused name for SQL. */
  newName(): string {
    this.#names += 1;
    return `x${this.#names}`;
  }

  /** Adds a SELECT as the next step of the query, and returns the step's name. */
  addStep(select: string): string {
    const name = this.newName();
    this.#steps.push(`${name} AS (${select})`);
    return name;
  }

  /** A complete statement: the steps so far, then this SELECT. */
  statement(select: string): string {
    return this.#steps.length === 0 ? select : `WITH ${this.#steps.join(",\n")}\n${select}`;
  }

  /** Clears the steps after their result became a table. */
  restart(): void {
    this.#steps.length = 0;
  }

  /** Guards against cycles: names bound by `let` may use each other, but not themselves. */
  enter<T>(at: number, work: () => T): T {
    if (this.#depth >= 20)
      this.fail("semantic", "names bound by let are nested too deeply, or refer to themselves", at);
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
