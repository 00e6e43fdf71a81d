import { expect, test } from "@jest/globals";
import fc from "fast-check";

test("a property has the same inputs in each run of the tests", () => {
  expect(fc.sample(fc.integer(), 10)).toEqual(fc.sample(fc.integer(), 10));
});
