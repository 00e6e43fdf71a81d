import { expect, test } from "@jest/globals";
import fc from "fast-check";
import { parseExact, stringifyExact } from "../../../sdk/values/exactJson";

/** Any JSON value, with integers of any size. */
const value = fc.letrec((tie) => ({
  value: fc.oneof(
    fc.constant(null),
    fc.boolean(),
    fc.string(),
    fc.constantFrom(", 12345678901234567890 ]", ":9007199254740993}"),
    fc.integer(),
    fc.double({ noNaN: true, noDefaultInfinity: true, noInteger: true }),
    fc.bigInt({ min: 2n ** 53n, max: 2n ** 80n }),
    fc.bigInt({ min: -(2n ** 80n), max: -(2n ** 53n) }),
    fc.array(tie("value"), { maxLength: 4 }),
    fc.dictionary(fc.string(), tie("value"), { maxKeys: 4 }),
  ),
})).value;

test("what is written and read again is the same to the last digit", () => {
  fc.assert(
    fc.property(value, fc.constantFrom(undefined, 2), (original, indent) => {
      const written = stringifyExact(original, indent);
      expect(parseExact(written)).toEqual(normal(original));
    }),
    { numRuns: 10_000 },
  );
});

/** -0 is written as 0. */
function normal(value: unknown): unknown {
  if (value === 0) return 0;
  if (Array.isArray(value)) return value.map(normal);
  if (typeof value === "object" && value !== null)
    return Object.fromEntries(Object.entries(value).map(([key, member]) => [key, normal(member)]));
  return value;
}

// Where each integer looks for the next text, this takes longer than a test may.
test("a column of many large integers before a column of texts is read", () => {
  const integers = Array.from({ length: 500_000 }, (_, n) => 9_007_199_254_740_993n + BigInt(n));
  expect(parseExact(`[[${integers.join(",")}],["9007199254740993"]]`)).toEqual([integers, ["9007199254740993"]]);
});

test.each(["", "{", "[1", '{"a":9007199254740993', "nul"])("%j is not JSON", (text) => {
  expect(() => parseExact(text)).toThrow(SyntaxError);
});

test.each([
  ["9007199254740993", 9_007_199_254_740_993n],
  ["[9007199254740993]", [9_007_199_254_740_993n]],
  ["-9007199254740993", -9_007_199_254_740_993n],
  ["9007199254740991", 9_007_199_254_740_991],
  ["1e20", 1e20],
  ["9007199254740993.0", 9_007_199_254_740_992],
])("%s is read as it is", (text, expected) => {
  expect(parseExact(text)).toEqual(expected);
});
