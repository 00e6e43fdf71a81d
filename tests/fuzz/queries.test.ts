import { expect, test } from "@jest/globals";
import fc from "fast-check";
import { isQueryError, type QueryError } from "../../emulator/apl";
import { corpus, expressions, pipelines, summaries } from "../emulator/apl/corpus";
import { openTestDatasets } from "../emulator/apl/support";
import { openForTests } from "../support/suite";
import { runsOf } from "./random";

const runs = runsOf(100);

const open = openForTests(openTestDatasets);

/** Words that stand for each other, in the written queries: names, numbers, texts, functions. */
const word = /"[^"\\]*"|'[^'\\]*'|\b[a-z_]\w*\(|\b[A-Za-z_]\w*\b|\b\d+(?:\.\d+)?\b/g;
const kindOf = (text: string) =>
  /^["']/.test(text) ? "text" : /^\d/.test(text) ? "number" : /\($/.test(text) ? "call" : "name";
const words = Map.groupBy(new Set(corpus.flatMap((text) => text.match(word) ?? [])), kindOf);

/** Names, numbers and texts that change what an operator makes of them, in place of any of them. */
const values = [
  ..."status dur user tags geo _time ok nosuch took mix null 'a' '' 0 -1 1e308 9223372036854775807 1h".split(" "),
  ..."dynamic([1,'a']) datetime(2024-01-01) long(null)".split(" "),
];

const textsOf = (groups: Readonly<Record<string, readonly (readonly [text: string, ...rest: unknown[]])[]>>) =>
  Object.values(groups).flatMap((group) => group.map(([text]) => text));
const operators = {
  pipeline: textsOf(pipelines),
  summary: summaries.map(([text]) => `summarize ${text}`),
  expression: textsOf(expressions).map((text) => `extend x = ${text}`),
};
const operator = fc.constantFrom(...Object.values(operators)).chain((some) => fc.constantFrom(...some));

/** Some operators of the written queries after one another, with some of their words exchanged. */
const query = fc
  .tuple(
    fc.array(operator, { minLength: 1, maxLength: 3 }),
    fc.array(fc.tuple(fc.nat(), fc.nat(), fc.boolean()), { maxLength: 3 }),
  )
  .map(([parts, changes]) =>
    changes.reduce(
      (text, [place, choice, anyValue]) => {
        const found = [...text.matchAll(word)].slice(1);
        const { 0: old = "", index = 0 } = found[place % found.length] ?? {};
        const kind = kindOf(old);
        const pool = (anyValue && kind !== "call" ? values : words.get(kind)) ?? [];
        return text.slice(0, index) + (pool[choice % pool.length] ?? old) + text.slice(index + old.length);
      },
      ["logs", ...parts].join("\n| "),
    ),
  );

/** A range of time as a request has it, now and then one that it should not have. */
const range = fc.constantFrom(
  ...[{}, {}, { startTime: "now-1d", endTime: "now" }, { startTime: "2024-01-01T00:00:00Z" }],
  ...[{ startTime: "yesterday" }, { startTime: "9999-12-31T23:59:59Z", endTime: "0001-01-01T00:00:00Z" }],
);

/** DuckDB's messages for SQL that it cannot read. The planner must never write such SQL. */
const brokenPlan = /\b(?:Binder|Parser|Catalog|Syntax|INTERNAL|Internal|Fatal|Not implemented|Transaction\w*) Error/i;

/** An error that helps whoever wrote the query: it has a place, or tells what the data have made of it. */
function expectHelpful(text: string, error: QueryError): void {
  expect(["syntax", "unsupported", "semantic", "field", "not-found"]).toContain(error.kind);
  expect(String(error.cause)).not.toMatch(brokenPlan);
  if (error.at) {
    const lines = text.split("\n");
    expect(error.at.line).toBeLessThanOrEqual(lines.length);
    expect(error.at.column).toBeLessThanOrEqual((lines[error.at.line - 1]?.length ?? 0) + 1);
  } else {
    expect(error.reason).toMatch(/^the query cannot be run: |^(?:start|end)Time|too large|times? range|dataset/);
  }
}

test("a query of known operators is answered or refused with a place, whatever they follow and whatever stands in them", async () => {
  const outcomes = { answered: 0, refused: 0 };
  await fc.assert(
    fc.asyncProperty(query, range, async (apl, times) => {
      try {
        const { tables } = await open.datasets.apl({ apl, ...times }, { format: "tabular" });
        outcomes.answered += 1;
        for (const { fields, columns } of tables) expect(columns).toHaveLength(fields.length);
      } catch (e) {
        if (!isQueryError(e)) throw e;
        outcomes.refused += 1;
        expectHelpful(apl, e);
      }
    }),
    { numRuns: runs },
  );
  // A generator whose queries are all refused would show nothing.
  expect(outcomes.answered).toBeGreaterThan(runs / 10);
});
