import { readFileSync } from "node:fs";
import path from "node:path";
import { expect, test } from "@jest/globals";
import fc from "fast-check";
import peggy from "peggy";
import { isQueryError } from "../../../emulator/apl";
import { grammarOptions, parse } from "../../../emulator/apl/parse";
import { runsOf } from "../../fuzz/random";
import { corpus } from "./corpus";
import { shareDatasets } from "./support";

const inputs = runsOf(2_000);

const open = shareDatasets();

const pieces = [
  ..."|()[]{},.;=!~<>+-*/%'\"\\@:\n\0é💥",
  ..."by and or not( 1d 0x 1e // .. == summarize where ['a'] union (((( )))) [[[[ dynamic({ datetime(".split(" "),
  ...["let x = ", "in (", "between (", "- - -"],
];

/** A query with a piece put in, taken out, doubled or swapped. */
const mutated = fc
  .tuple(
    fc.constantFrom(...corpus),
    fc.array(fc.tuple(fc.nat(), fc.nat(12), fc.nat(3), fc.constantFrom(...pieces)), { minLength: 1, maxLength: 4 }),
  )
  .map(([query, edits]) =>
    edits.reduce((text, [place, length, kind, piece]) => {
      const at = place % (text.length + 1);
      const cut = text.slice(at, at + length);
      return text.slice(0, at) + [piece, "", cut + cut, piece + cut][kind] + text.slice(at + (kind === 2 ? 0 : length));
    }, query),
  );

const input = fc.oneof(
  { weight: 8, arbitrary: mutated },
  { weight: 1, arbitrary: fc.string({ maxLength: 200 }) },
  { weight: 1, arbitrary: fc.array(fc.constantFrom(...pieces), { maxLength: 120 }).map((some) => some.join(" ")) },
);

test("the parser returns a tree or an error with a place for broken queries", () => {
  let parsed = 0;
  fc.assert(
    fc.property(input, (text) => {
      try {
        parse(text);
        parsed += 1;
      } catch (e) {
        if (!isQueryError(e)) throw e;
        const { kind, line = 0, column = Number.NaN } = e;
        const length = text.split("\n")[line - 1]?.length ?? Number.NaN;
        // Not with `expect`, which would take as long as the parser.
        const isInText = column <= length + 1;
        if (!isInText || (kind !== "syntax" && kind !== "unsupported"))
          throw new Error(`an error (${kind}) at line ${line}, column ${column}`, { cause: e });
      }
    }),
    { numRuns: inputs },
  );
  expect(parsed).toBeGreaterThan(inputs / 20);
});

/** The same parser, which tells every rule that it tries. */
const traced = peggy.generate(readFileSync(path.join(__dirname, "../../../emulator/apl/apl.peggy"), "utf8"), {
  cache: true,
  trace: true,
});

/** How many rules the parser tries for a text. */
function countSteps(text: string): number {
  let steps = 0;
  const tracer = {
    trace({ type }: { type: string }) {
      if (type === "rule.enter") steps += 1;
    },
  };
  try {
    traced.parse(text, { ...grammarOptions(text), tracer });
  } catch (e) {
    if (!isQueryError(e) && !(e instanceof traced.SyntaxError)) throw e;
  }
  return steps;
}

/** The most rules that the parser may try for a character. */
const stepsPerCharacter = 100;

test.each([
  ["brackets", `print ${"(".repeat(50)}1${")".repeat(50)}`],
  ["signs", `print ${"- ".repeat(2000)}1`],
  ["sums", `print ${"1 + ".repeat(1000)}1`],
  ["conditions", `logs | where ${"a == 1 or ".repeat(1000)}a == 2`],
  ["pipelines in brackets", `${"(".repeat(50)}logs${" | count)".repeat(50)}`],
  ["pipes", `logs ${"| count ".repeat(500)}`],
])("the steps of parsing many %s grow with the text alone", (_, text) => {
  expect(countSteps(text)).toBeLessThan(stepsPerCharacter * text.length);
});

test.each([
  ["open brackets", `print ${"(".repeat(99_000)}`, "brackets are nested more than 60 levels deep"],
  ["signs", `print ${"- ".repeat(20_000)}1`, "the query has more than 20000 words and symbols"],
  ["words", `print a${".b".repeat(20_000)}`, "the query has more than 20000 words and symbols"],
  ["lists", `print dynamic([${"1,".repeat(40_000)}1])`, "the query has more than 20000 words and symbols"],
  ["pipes", `logs ${"| count ".repeat(201)}`, "the query has 201 operators, more than 200"],
  ["pipes in a let", `let a = logs ${"| count ".repeat(201)}; a`, "the query has 201 operators, more than 200"],
  ["terms of a sum", `print ${"1 + ".repeat(1000)}1`, "the expression is too long or nested too deeply"],
  ["characters", `print '${"a".repeat(100_000)}'`, "the query is longer than 100000 characters"],
])("too many %s are refused before anything else is done with them", (_, text, reason) => {
  expect(() => parse(text)).toThrow(expect.objectContaining({ kind: "syntax", reason }));
});

test.each([
  `print ${"bin(".repeat(30)}now()${", 1h)".repeat(30)}`,
  `print ${"parse_json(tostring(".repeat(20)}'1'${"))".repeat(20)}`,
  `print ${"(".repeat(40)}1${" in (1, 2, 3, 4, 5, 6, 7, 8))".repeat(40)}`,
  `print ${"1 / (".repeat(40)}1${")".repeat(40)}`,
  `print ${"coalesce('', ".repeat(30)}'a'${")".repeat(30)}`,
  `print ${"(".repeat(40)}'a'${" has 'a')".repeat(40)}`,
])("nested calls make no more SQL than is allowed: %.40s…", async (apl) => {
  const answer = await open.rows(apl).catch((e: unknown) => e);
  // One row, or a refusal; the database answers either way before the test's own limit.
  if (Array.isArray(answer)) expect(answer).toHaveLength(1);
  else expect(answer).toMatchObject({ kind: "semantic", reason: "the expression is too large" });
});
