import { isOutOfMemory, isTooDeep, QueryError } from "./errors";
import { limitMark } from "./sql";

/** The problems that RE2 finds in a pattern, as it names them. */
const patternProblems = [
  ...["missing )", "unexpected )", "missing ]", "invalid escape sequence", "invalid character class range"],
  ...["invalid character class", "no argument for repetition operator", "bad repetition operator"],
  ...["invalid repetition size", "invalid perl operator", "invalid UTF-8", "invalid named capture group"],
  ...["trailing \\", "pattern too large"],
];

/** The reason if the database refuses a plan that is not SQL, which is a defect of the planner. */
export const noPlan = "the emulator cannot plan it";

/** Errors of the database about values, and about a plan that is not SQL, which is a defect of the planner. */
const reasons: Readonly<Record<string, string>> = {
  "Invalid Input": "a function got a value that it cannot take",
  "Out of Range": "a number is out of range",
  Conversion: "a value cannot be converted",
  "Mismatch Type": "a value has an unexpected type",
  Binder: noPlan,
  Catalog: noPlan,
  Parser: noPlan,
  "Not implemented": noPlan,
};

/**
 * Reports a database error in a query as an error of the query, in the emulator's own words, because the database's message
 * quotes the plan and values. That message becomes the cause of the error, which does not leave the process. Other failures,
 * such as a full disk, stay as they are.
 */
export function explainFailure(error: unknown): unknown {
  // Not instanceof: the database's errors may come from another realm.
  const message = typeof error === "object" && error !== null && "message" in error ? String(error.message) : "";
  const [, kind = "", text = ""] = /^([A-Z][A-Za-z ]*) Error: (.*)$/s.exec(message) ?? [];
  const reason = Object.hasOwn(reasons, kind) ? reasons[kind] : undefined;
  if (reason === undefined || isOutOfMemory(error)) return error;
  if (isTooDeep(error)) return new QueryError("limit", "the query was stopped because a value is nested too deeply");
  const limit = text.startsWith(limitMark) ? text.slice(limitMark.length) : undefined;
  const problem = patternProblems.find((known) => text.startsWith(known));
  const pattern = problem && `a regular expression is not valid: ${problem}`;
  return new QueryError("semantic", `the query cannot be run: ${limit ?? pattern ?? reason}`, undefined, {
    cause: error,
  });
}
