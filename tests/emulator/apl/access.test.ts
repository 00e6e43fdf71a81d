import { expect, test } from "@jest/globals";
import fc from "fast-check";
import { isQueryError } from "../../../emulator/apl";
import { runsOf } from "../../fuzz/random";
import { shareDatasets } from "./support";

/** Three datasets, each with a field that says which it is. */
const names = ["open-a", "open-b", "closed"] as const;

const open = shareDatasets(
  Object.fromEntries(names.map((name) => [name, [{ _time: "2024-01-01T00:00:00Z", of: name, id: 1 }]])),
);

/** The datasets whose events an answer holds, for a caller who may read only some; undefined if it is refused. */
async function readBy(allowed: ReadonlySet<string>, apl: string): Promise<readonly string[] | undefined> {
  const mayRead = (name: string) => allowed.has(name);
  try {
    const answer = await open.datasets.apl({ apl }, { format: "tabular", mayRead });
    return names.filter((name) => JSON.stringify([answer.tables, answer.fieldsMetaMap]).includes(name));
  } catch (e) {
    if (isQueryError(e) && e.kind === "forbidden") return undefined;
    throw e;
  }
}

/** How a query may name its datasets: a piece of text that is a pipeline's start. */
const source = fc.letrec<{ any: string; named: string; nested: string }>((tie) => ({
  any: fc.oneof({ maxDepth: 2 }, tie("named"), tie("nested")),
  named: fc.constantFrom(
    ...names.map((name) => `['${name}']`),
    "table('closed')",
    "['open']*",
    "['clo']*",
    "search '*'",
    "search 'closed'",
    "search * | where id == 1",
    "union *",
    "union ['open']*, ['closed']",
    "search in (['closed']) '*'",
    "search in (['open']*, ['closed']) 'closed'",
  ),
  nested: fc
    .tuple(
      fc.constantFrom(
        (a: string) => `(${a})`,
        (a: string) => `(${a} | where id == 1)`,
        (a: string) => `((${a}) | extend more = 1)`,
        (a: string) => `union (${a})`,
        (a: string, b: string) => `union (${a}), (${b})`,
        (a: string, b: string) => `(${a}) | union (${b})`,
        (a: string, b: string) => `union (${a} | take 5), (${b} | where id == 1 | take 5)`,
        (a: string) => `search in ((${a})) '*'`,
        (a: string, b: string) => `(${a}) | join kind=leftouter (${b}) on id`,
        (a: string, b: string) => `(${a}) | lookup (${b} | project id, other = of) on id`,
        (a: string, b: string) => `(${a}) | join kind=leftanti (${b} | where id == 2) on id`,
        (a: string, b: string) => `(${a}) | where of in ((${b} | project of))`,
        (a: string, b: string) => `(${a}) | where of has_any ((${b} | distinct of))`,
      ),
      tie("any"),
      tie("any"),
    )
    .map(([form, a, b]) => form(a, b)),
})).any;

const query = fc.oneof(
  source,
  source.map((text) => `let x = ${text}; x`),
  source.map((text) => `let x = (${text}); let y = x | where id == 1; union x, y`),
  fc.tuple(source, source).map(([a, b]) => `let x = ${a}; (${b}) | union (x)`),
);

test("no form of a query shows events of a dataset that its caller may not read", async () => {
  const everything: ReadonlySet<string> = new Set(names);
  let shown = 0;
  let refused = 0;
  const runs = runsOf(100);
  await fc.assert(
    fc.asyncProperty(query, fc.subarray([...names]), async (apl, allowed) => {
      const all = await readBy(everything, apl);
      const read = await readBy(new Set(allowed), apl);
      if (read === undefined) refused += 1;
      else {
        shown += 1;
        // A query that is not refused returns its whole result, from readable datasets only.
        expect({ apl, read }).toEqual({ apl, read: all });
        expect(read.filter((name) => !allowed.includes(name as (typeof names)[number]))).toEqual([]);
      }
    }),
    { numRuns: runs },
  );
  expect(Math.min(shown, refused)).toBeGreaterThan(runs / 20);
});
