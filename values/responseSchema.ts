import * as v from "valibot";
import { type Reader, tooDeep } from "./response";

/** Checks a part of a response. Issue texts name the field and the expected type, never the value. */
export type ResponseSchema<T> = v.GenericSchema<unknown, T>;

/** Makes a reader of a response that is usable either as a whole or not at all. */
export const readBySchema =
  <T>(schema: ResponseSchema<T>): Reader<T> =>
  (json) => {
    const result = parseShallow(schema, json);
    if (result === undefined) return { problem: `the response: ${tooDeep}` };
    if (result.success) return { value: result.output };
    const [issue] = result.issues;
    return { problem: `${v.getDotPath(issue) ?? "the response"}: ${describeExpectation(issue)}` };
  };

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
const describeExpectation = (issue: v.BaseIssue<unknown>): string =>
  `expected ${issue.type === "custom" || issue.type === "check" ? issue.message : issue.expected}`;
