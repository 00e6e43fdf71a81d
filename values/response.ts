/** The value of a response, or its problem: the field and the expected type, never the actual value. */
export type Reading<T> = { readonly value: T } | { readonly problem: string };

/** The status and the headers of a response. */
export interface ResponseHead {
  readonly status: number;
  /** The headers, by name in lower case. */
  readonly headers: Readonly<Record<string, string | undefined>>;
}

/** Reads the parsed body of a response. Status and headers show whether the body is complete. */
export type Reader<T> = (json: unknown, head?: ResponseHead) => Reading<T>;

/** The problem of a value that is nested deeper than any useful value. */
export const tooDeep = "expected fewer levels of nesting";
