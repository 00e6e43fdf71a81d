import { readFileSync } from "node:fs";
import path from "node:path";
import { expect, test } from "@jest/globals";
import fc from "fast-check";
import { isQueryError } from "../../../emulator/apl";
import { parse } from "../../../emulator/apl/parse";
import { openTestDatasets } from "./support";

const INPUTS = 10_000;
const SLOWEST = 5000;

/** Every query of the other suites: any text there that starts like one. */
const CORPUS = ["operators", "aggregations", "rules", "scalars", "errors"]
  .map((name) => readFileSync(path.join(__dirname, `${name}.test.ts`), "utf8"))
  .flatMap((text) =>
    [...text.matchAll(/"((?:[^"\\\n]|\\.)+)"/g)].map(([, body = ""]) => body.replaceAll(/\\(.)/g, "$1")),
  )
  .flatMap((text) => [text, `logs | ${text}`, `print ${text}`, `logs | where ${text}`, `logs | summarize ${text}`]);

const PIECES = [
  ..."|()[]{},.;=!~<>+-*/%'\"\\@:",
  "..",
  "==",
  "by",
  "and",
  "or",
  "not(",
  "let x = ",
  "in (",
  "between (",
  "dynamic({",
  "datetime(",
  "1d",
  "0x",
  "1e",
  "//",
  "\n",
  "\0",
  "é",
  "💥",
  "summarize",
  "where",
  "['a']",
  "union",
  "((((",
  "))))",
  "[[[[",
  "- - -",
];

/** A query with a piece put in, taken out, doubled or swapped. */
const mutated = fc
  .tuple(
    fc.constantFrom(...CORPUS),
    fc.array(fc.tuple(fc.nat(), fc.nat(12), fc.nat(3), fc.constantFrom(...PIECES)), { minLength: 1, maxLength: 4 }),
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
  { weight: 1, arbitrary: fc.array(fc.constantFrom(...PIECES), { maxLength: 120 }).map((pieces) => pieces.join(" ")) },
);

test("the parser answers ten thousand broken queries with a tree or an error that has a place", () => {
  let parsed = 0;
  fc.assert(
    fc.property(input, (text) => {
      const started = performance.now();
      try {
        parse(text);
        parsed += 1;
      } catch (e) {
        if (!isQueryError(e)) throw e;
        expect(["syntax", "unsupported"]).toContain(e.kind);
        const lines = text.split("\n");
        expect(e.line).toBeGreaterThanOrEqual(1);
        expect(e.line).toBeLessThanOrEqual(lines.length);
        expect(e.column).toBeLessThanOrEqual((lines[(e.line ?? 1) - 1]?.length ?? 0) + 1);
      }
      expect(performance.now() - started).toBeLessThan(SLOWEST);
    }),
    { numRuns: INPUTS, seed: 20_240_101 },
  );
  expect(parsed).toBeGreaterThan(INPUTS / 20);
});

test.each([
  ["brackets", `print ${"(".repeat(50)}1${")".repeat(50)}`],
  ["open brackets", `print ${"(".repeat(100_000)}`],
  ["lists", `print dynamic(${"[".repeat(50)}${"]".repeat(50)})`],
  ["calls", `print ${"not(".repeat(50)}true${")".repeat(50)}`],
  ["signs", `print ${"- ".repeat(20_000)}1`],
  ["sums", `print ${"1 + ".repeat(5000)}1`],
  ["conditions", `logs | where ${"a == 1 or ".repeat(5000)}a == 2`],
  ["dots", `print a${".b".repeat(20_000)}`],
  ["indexes", `print a${"[0]".repeat(10_000)}`],
  ["texts that never end", `print ${"'".repeat(10_001)}`],
  ["backslashes", `print '${"\\\\".repeat(20_000)}'`],
  ["spaces", `print ${" ".repeat(100_000)}1`],
  ["pipes", `logs ${"| count ".repeat(5000)}`],
])("many %s are read or refused quickly", (_, text) => {
  const started = performance.now();
  try {
    parse(text);
  } catch (e) {
    if (!isQueryError(e)) throw e;
  }
  expect(performance.now() - started).toBeLessThan(SLOWEST);
});

test.each([
  `print ${"bin(".repeat(30)}now()${", 1h)".repeat(30)}`,
  `print ${"totimespan(tostring(".repeat(20)}1h${"))".repeat(20)}`,
  `print ${"parse_json(tostring(".repeat(20)}'1'${"))".repeat(20)}`,
  `print ${"strcmp('a', tostring(".repeat(20)}'a'${"))".repeat(20)}`,
  `print ${"(".repeat(40)}1${" in (1, 2, 3, 4, 5, 6, 7, 8))".repeat(40)}`,
  `print a = dynamic({})${"[strlen('a')]".repeat(40)}`,
  `print ${"1 / (".repeat(40)}1${")".repeat(40)}`,
  `print ${"1.5 % (".repeat(40)}1${")".repeat(40)}`,
  `print ${"coalesce('', ".repeat(30)}'a'${")".repeat(30)}`,
  `print ${"tobool(tostring(".repeat(20)}true${"))".repeat(20)}`,
  `print ${"(".repeat(40)}'a'${" has 'a')".repeat(40)}`,
])("nested calls end quickly: %.40s…", async (apl) => {
  await using open = await openTestDatasets({});
  const started = performance.now();
  await open.rows(apl).catch((e: unknown) => expect(isQueryError(e)).toBe(true));
  expect(performance.now() - started).toBeLessThan(SLOWEST);
});

test("the longest expressions that parse can be planned and run", async () => {
  await using open = await openTestDatasets();
  const paths = `dynamic({})${"['a']".repeat(150)}`;
  const queries = [
    `print ${"1 + ".repeat(99)}1`,
    `print ${"(".repeat(50)}${"1 * ".repeat(50)}1${")".repeat(50)}`,
    `print ${"not(".repeat(55)}true${")".repeat(55)}`,
    `print ${paths}`,
    `logs | where ${"status == 1 or ".repeat(1999)}status == 200 | count`,
    `logs | where status in (${"1, ".repeat(1999)}200) | count`,
    `logs ${"| extend a = dur + 1 ".repeat(150)} | count`,
  ];
  expect(await Promise.all(queries.map((apl) => open.column(apl)))).toEqual([
    [100],
    [1],
    [false],
    [null],
    [2],
    [2],
    [6],
  ]);
});
