import * as v from "valibot";

/** Checks a part of a response. Issue texts name the field and the expected type, never the value. */
export type ResponseSchema<T> = v.GenericSchema<unknown, T>;

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

/** Reads a response that is usable as a whole or not at all. */
export const readBySchema =
  <T>(schema: ResponseSchema<T>): Reader<T> =>
  (json) => {
    const result = parseShallow(schema, json);
    if (result === undefined) return { problem: `the response: ${tooDeep}` };
    if (result.success) return { value: result.output };
    const [issue] = result.issues;
    return { problem: `${v.getDotPath(issue) ?? "the response"}: ${describeExpectation(issue)}` };
  };

/** The expectation of a value that is nested deeper than anything the service has a reason to send. */
export const tooDeep = "expected fewer levels of nesting";

/** Checks a value. Undefined: it is nested so deep that the check ran out of stack. */
function parseShallow<T>(schema: ResponseSchema<T>, json: unknown): v.SafeParseResult<ResponseSchema<T>> | undefined {
  try {
    return v.safeParse(schema, json);
  } catch (e) {
    if (e instanceof RangeError) return undefined;
    throw e;
  }
}

/** Describes the expectation that an issue reports. */
export const describeExpectation = (issue: v.BaseIssue<unknown>): string =>
  `expected ${issue.type === "custom" || issue.type === "check" ? issue.message : issue.expected}`;
