import * as v from "valibot";

/** Any JSON value. */
export type Json = null | boolean | number | string | readonly Json[] | JsonObject;

/** A JSON object. Parsed ones have no prototype, so that no key of theirs means anything to the language. */
export interface JsonObject {
  readonly [key: string]: Json;
}

export const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === "object" && value !== null && !Array.isArray(value);

/** A copy in which every object has no prototype and no member that is null: the service writes absent as null too. */
export function withoutNulls(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(withoutNulls);
  if (!isObject(value)) return value;
  const copy: Record<string, unknown> = Object.create(null);
  for (const [key, member] of Object.entries(value)) {
    if (member !== null) copy[key] = withoutNulls(member);
  }
  return copy;
}

/** Checks the parsed body of an answer. Issue texts name the field and the expected type, never the value. */
export type AnswerSchema<T> = v.GenericSchema<unknown, T>;

/** What is wrong with an answer: the field and what was expected there. */
export const describeIssue = (issue: v.BaseIssue<unknown>): string =>
  `${v.getDotPath(issue) ?? "the answer"}: expected ${issue.type === "custom" || issue.type === "check" ? issue.message : issue.expected}`;
