/**
 * The reason why a query failed: its text does not parse (`syntax`), it asks for something the emulator lacks (`unsupported`),
 * it is meaningless (`semantic`), it uses a field that no event of its datasets has ever had (`field`), it names a dataset
 * that does not exist (`not-found`), its caller may not read a dataset (`forbidden`), nobody waits for its result (`cancelled`),
 * it exceeded a limit of time, memory or size (`limit`), the datasets cannot be opened (`unavailable`), or the data given to
 * load is unusable (`data`).
 */
export type QueryErrorKind =
  | "syntax"
  | "unsupported"
  | "semantic"
  | "field"
  | "not-found"
  | "forbidden"
  | "cancelled"
  | "limit"
  | "unavailable"
  | "data";

/** A query or a load that failed, with the place in the query. */
export class QueryError extends Error {
  override readonly name = "QueryError";
  readonly line: number | undefined;
  readonly column: number | undefined;

  constructor(
    readonly kind: QueryErrorKind,
    readonly reason: string,
    readonly at?: Place,
    options?: ErrorOptions,
  ) {
    super(at ? `line ${at.line}, column ${at.column}: ${reason}` : reason, options);
    this.line = at?.line;
    this.column = at?.column;
  }
}

/** A place in a query's text; both count from 1. */
export interface Place {
  readonly line: number;
  readonly column: number;
}

/** Whether a failure is a QueryError. By name, not instanceof: two copies of this module may be loaded. */
export const isQueryError = (e: unknown): e is QueryError =>
  typeof e === "object" && e !== null && "name" in e && e.name === "QueryError";

/** The line and column of an offset in a text. */
export function placeOf(text: string, offset: number): Place {
  const before = text.slice(0, offset);
  const line = before.split("\n").length;
  return { line, column: offset - before.lastIndexOf("\n") };
}

/** The most memory that the database itself takes, in MB. The process that it runs in may take more. */
export const databaseMemoryMB = 700;

/**
 * Whether the database failed because it needed more than its memory, and no caller has described this failure yet. Not
 * `instanceof`: errors of the database may come from another realm.
 */
export const isOutOfMemory = (failure: unknown): boolean =>
  !isQueryError(failure) &&
  /Out of Memory Error: |failed to pin block of size/.test(String((failure as Partial<Error> | undefined)?.message));

/**
 * Whether a failure means that a value is nested too deeply for a recursive function. The database passes on the errors of
 * computed functions.
 */
export const isTooDeep = (failure: unknown): boolean =>
  String((failure as Partial<Error> | undefined)?.message).endsWith("Maximum call stack size exceeded");

/** Whether a failure means that the disk is full. */
export const isDiskFull = (failure: unknown): boolean =>
  !isQueryError(failure) && /No space left on device|Disk quota exceeded/i.test(String(failure));

/** A name from a request, as one line of bounded length. */
export const quoteName = (name: string): string => JSON.stringify(name).slice(1, -1).slice(0, 100);
