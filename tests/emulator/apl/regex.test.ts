import { isDeepStrictEqual } from "node:util";
import { expect, test } from "@jest/globals";
import fc from "fast-check";
import { LinearPattern } from "../../../emulator/apl/computed/regex";
import { runsOf } from "../../fuzz/random";

const all = (pattern: string, text: string) => [...new LinearPattern(pattern).matches(text)];

test.each<[pattern: string, text: string, matches: (string | undefined)[][]]>([
  ["a+", "caaat a", [["aaa"], ["a"]]],
  [
    "(a)(b)?",
    "ab a",
    [
      ["ab", "a", "b"],
      ["a", "a", undefined],
    ],
  ],
  ["a|ab", "ab", [["a"]]],
  ["ab|a", "ab", [["ab"]]],
  ["a{2,3}", "aaaaa", [["aaa"], ["aa"]]],
  ["a{2}?b|{x}", "aab{x}", [["aab"], ["{x}"]]],
  [
    "(.*?)-",
    "a-b-",
    [
      ["a-", "a"],
      ["b-", "b"],
    ],
  ],
  ["^b", "a\nb", []],
  ["(?m)^b$", "a\nb\nc", [["b"]]],
  ["a.c", "a\nc", []],
  ["(?s)a.c", "a\nc", [["a\nc"]]],
  ["(?i)straße", "STRAße", [["STRAße"]]],
  ["(?i:A)B", "aB ab", [["aB"]]],
  ["(?P<user>\\w+)@(?<host>\\w+)", "me@home", [["me@home", "me", "home"]]],
  ["[^[:space:]\\d]+", "ab1 c", [["ab"], ["c"]]],
  ["[a\\-z\\]]+", "a-]z b", [["a-]z"]]],
  ["\\bfoo\\b", "foo food foo", [["foo"], ["foo"]]],
  ["\\p{Lu}\\pL", "Éa", [["Éa"]]],
  ["\\x41\\x{1F600}", "A😀", [["A😀"]]],
  ["\\Qa.b\\E+", "a.bb acb", [["a.bb"]]],
  [".", "😀", [["😀"]]],
  [
    "(a*)*",
    "b",
    [
      ["", undefined],
      ["", undefined],
    ],
  ],
  ["\\A\\d+\\z", "12", [["12"]]],
])("%j finds in %j what it should", (pattern, text, matches) => {
  const found = all(pattern, text).map((places) =>
    Array.from({ length: places.length / 2 }, (_, i) => {
      const [start = -1, end = -1] = places.slice(i * 2, i * 2 + 2);
      return start < 0 ? undefined : text.slice(start, end);
    }),
  );
  expect(found).toEqual(matches.map((groups) => groups.map((group) => group)));
});

test.each([
  "(a",
  "a)",
  "*a",
  "a**",
  "[a",
  "\\1",
  "(?=a)",
  "(?<!a)b",
  "a{2000}",
  "[z-a]",
  "\\p{Nope}",
  "[[:nope:]]",
  "a\\",
])("%j is not a pattern", (pattern) => {
  expect(() => new LinearPattern(pattern)).toThrow(expect.objectContaining({ name: "PatternError" }));
});

/** Patterns that mean the same to JavaScript, whose matcher prefers the same way through them. */
const pattern = fc.letrec<{ any: string; atom: string }>((tie) => ({
  atom: fc.oneof(
    { maxDepth: 3 },
    fc.constantFrom("a", "b", ".", "[ab]", "[^a]", "\\b", "^", "$"),
    tie("any").map((inner) => `(${inner})`),
    tie("any").map((inner) => `(?:${inner})`),
  ),
  any: fc.oneof(
    { maxDepth: 3 },
    tie("atom"),
    fc.tuple(tie("any"), tie("any")).map(([a, b]) => a + b),
    fc.tuple(tie("any"), tie("any")).map(([a, b]) => `(?:${a}|${b})`),
    // No repeated group is empty: there the two differ in the content of the groups.
    fc
      .tuple(
        fc.constantFrom("a", "b", "[ab]", "(a)", "(?:ab|b)"),
        fc.constantFrom("*", "+", "?", "{1,2}", "*?", "+?", "??"),
      )
      .map(([inner, times]) => inner + times),
  ),
})).any;

test("for any pattern and text, it finds the same matches as JavaScript", () => {
  fc.assert(
    fc.property(pattern, fc.string({ unit: fc.constantFrom("a", "b", "c", " "), maxLength: 12 }), (source, text) => {
      const expected = [...text.matchAll(new RegExp(source, "gd"))].map(({ indices }) =>
        (indices ?? []).flatMap((place) => place ?? [-1, -1]),
      );
      return isDeepStrictEqual(all(source, text), expected);
    }),
    { numRuns: runsOf(10_000) },
  );
});
