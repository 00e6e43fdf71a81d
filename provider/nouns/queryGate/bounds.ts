import { asJson } from "../../../framework/compare";
import {
  isScalar,
  type MembersOf,
  members,
  nonEmptyText,
  type Shape,
  shapeOf,
  simple,
} from "../../../framework/shapes";
import type { Bounds } from "../../../gate";

const isNumber = (value: unknown): value is number => typeof value === "number" && Number.isFinite(value);

const number = simple<number>("must be a number", isNumber);

const expectationMembers = {
  /** Name of the column whose values must be within the bounds in every row. Without it, the result must be a single value. */
  column: nonEmptyText,
  /** Smallest value that passes. */
  min: number,
  /** Largest value that passes. */
  max: number,
  /** The only value that passes: a value of the same type; strings are compared exactly. */
  equals: simple<string | number | boolean>("must be a string, a number or a boolean", isScalar),
} satisfies Readonly<Record<keyof Bounds, unknown>>;

/** Bounds for the value of a query. At least one is required, and the value must be within all declared bounds. */
export interface Expectation extends MembersOf<typeof expectationMembers> {}

const declared = members(expectationMembers);

/** Checks that there are only known members, at least one bound, and bounds that a value can meet. */
export const expectation: Shape<Expectation> = shapeOf(asJson, (value, isSecret) => {
  const failures = declared.judge(value, isSecret);
  if (failures.length > 0) return failures;
  const { min, max, equals } = value as Expectation;
  if ((min ?? max ?? equals ?? undefined) === undefined) return [{ reason: "must have a bound: min, max or equals" }];
  return isNumber(min) && isNumber(max) && min > max ? [{ at: "min", reason: "must not be above max" }] : [];
});
