/** The value of a response, or its problem: the field and the expected type, never the value that it had. */
export type Reading<T> = { readonly value: T } | { readonly problem: string };

/** The status and the headers of a response. */
export interface ResponseHead {
  readonly status: number;
  /** By names in lower case. */
  readonly headers: Readonly<Record<string, string | undefined>>;
}

/** Reads the parsed body of a response; its head tells whether that is all of it. */
export type Reader<T> = (json: unknown, head?: ResponseHead) => Reading<T>;

/** The expectation of a value that is nested deeper than anybody has a reason to send. */
export const tooDeep = "expected fewer levels of nesting";
