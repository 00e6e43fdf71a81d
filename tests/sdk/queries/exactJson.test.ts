import { isDeepStrictEqual } from "node:util";
import { expect, test } from "@jest/globals";
import fc from "fast-check";
import { parseExact, stringifyExact } from "../../../values/exactJson";
import { runsOf } from "../../fuzz/random";

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
    fc.dictionary(fc.string(), tie("value"), { maxKeys: 4, noNullPrototype: true }),
  ),
})).value;

test("a value that is written and read again is the same to the last digit", () => {
  fc.assert(
    fc.property(value, fc.constantFrom(undefined, 2), (original, indent) => {
      const read = parseExact(stringifyExact(original, indent));
      // Only a difference is worth the time of `expect`.
      if (!isDeepStrictEqual(read, original)) expect(read).toEqual(original);
    }),
    { numRuns: runsOf(1_000) },
  );
});

test.each<[string, unknown]>([
  ["keys that JavaScript moves to the front", '{"b":9007199254740993,"7":9007199254740995,"a":1}'],
  ["keys with escapes", '{"a\\u0022b":[9007199254740993],"\\\\":9007199254740995}'],
  ["a key that a prototype has", '{"__proto__":9007199254740993,"constructor":{"__proto__":[9007199254740995]}}'],
  ["brackets, commas and colons in texts", '{"]},:[{":["\\"]",9007199254740993],",":"9007199254740995"}'],
  ["a long fraction and exponents before it", "[1.00000000000000000001,1e20,1E+20,-0.5e-3,9007199254740993]"],
  ["blanks around everything", ' [ { "a" :\t9007199254740993 } ,\n9007199254740995 ]\r\n'],
])("integers keep their places: %s", (_, text) => {
  const source = String(text);
  const reviveRounded = (_key: string, value: unknown, { source: own }: { source: string }) =>
    typeof value === "number" && /^-?\d{16,}$/.test(own) ? BigInt(own) : value;
  // The parser of JavaScript itself, called back for every value.
  const parse = JSON.parse as (text: string, revive: typeof reviveRounded) => unknown;
  expect(parseExact(source)).toEqual(parse(source, reviveRounded));
});

test.each([
  ['{"a":9007199254740993,"a":9007199254740995}', { a: 9_007_199_254_740_995n }],
  ['{"a":9007199254740993,"a":1}', { a: 1 }],
  ['{"a":[9007199254740993],"a":{"b":2}}', { a: { b: 2 } }],
  ['{"a":12345678901234567890,"a":1e20}', { a: 1e20 }],
])("the last of several members with the same key counts: %s", (text, expected) => {
  expect(parseExact(text)).toEqual(expected);
});

test("an integer that is nested deeper than a stack is read", () => {
  const levels = 200_000;
  let value = parseExact(`${'{"a":['.repeat(levels)}9007199254740993${"]}".repeat(levels)}`);
  for (let level = 0; level < levels; level++) value = (value as { a: unknown[] }).a[0];
  expect(value).toBe(9_007_199_254_740_993n);
});

test("an integer of more than 40 digits stays rounded, as its exact value would take time that grows with the square", () => {
  const digits = "1234567890".repeat(4);
  expect(parseExact(`[${digits},-${digits},${digits}1]`)).toEqual([
    BigInt(digits),
    -BigInt(digits),
    1.2345678901234568e40,
  ]);
});

const large = "9007199254740993";

test.each(["", `{"a":${large}`, `{${large}:1}`, `0${large}`, `+${large}`, `"a"${large}`])("%j is not JSON", (text) => {
  expect(() => parseExact(text)).toThrow(SyntaxError);
});
