import { afterAll, beforeAll, expect, test } from "@jest/globals";
import fc from "fast-check";
import { isQueryError, type QueryError } from "../../emulator/apl";
import { parse } from "../../emulator/apl/parse";
import { openTestDatasets, type TestDatasets } from "../emulator/apl/support";
import { query, range } from "./queries/pipelines";
import { runsOf } from "./random";

const runs = runsOf(150);

let open: TestDatasets;
beforeAll(async () => {
  open = await openTestDatasets();
});
afterAll(async () => open[Symbol.asyncDispose]());

/** DuckDB's messages for SQL that it cannot read. The planner must never write such SQL. */
const brokenPlan = /\b(?:Binder|Parser|Catalog|Syntax|INTERNAL|Internal|Fatal|Not implemented|Transaction\w*) Error/i;

/** An error that helps whoever wrote the query: it has a place, or tells what the data have made of it. */
function expectHelpful(text: string, error: QueryError): void {
  expect(["syntax", "unsupported", "semantic", "not-found"]).toContain(error.kind);
  expect(error.message).not.toMatch(brokenPlan);
  if (error.at) {
    const lines = text.split("\n");
    expect(error.at.line).toBeLessThanOrEqual(lines.length);
    expect(error.at.column).toBeLessThanOrEqual((lines[error.at.line - 1]?.length ?? 0) + 1);
  } else {
    expect(error.reason).toMatch(/^the query cannot be run: |^(?:start|end)Time|too large|times? range|dataset/);
  }
}

test("a query by the rules of the grammar parses, and is answered or refused with a place, whatever it asks for", async () => {
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

test("a query by the rules of the grammar is parsed, or refused for what is in it by name", () => {
  fc.assert(
    fc.property(query, (text) => {
      try {
        parse(text);
      } catch (e) {
        if (!isQueryError(e)) throw e;
        expect(e.kind).toBe("unsupported");
        expectHelpful(text, e);
      }
    }),
    { numRuns: runs },
  );
});
