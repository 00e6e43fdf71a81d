import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";

import { afterAll, beforeAll, expect, test } from "@jest/globals";
import fc from "fast-check";
import { parseCsv } from "../../../emulator/apl";
import { runsOf } from "../../fuzz/random";
import { openTestDatasets } from "./support";

let open: Awaited<ReturnType<typeof openTestDatasets>>;
let dir: string;
beforeAll(async () => {
  open = await openTestDatasets({});
  dir = await mkdtemp(path.join(tmpdir(), "query-csv-"));
});
afterAll(async () => {
  await open[Symbol.asyncDispose]();
  await rm(dir, { recursive: true, force: true });
});

const lineEnds = fc.constantFrom("\n", "\r\n", "\r");

/** Values with all that CSV has a meaning for; a quote within or a line's end makes quotes necessary. */
const value = fc.oneof(
  fc.constantFrom("", "0", "-7", "007", "1.5", "1e3", "true", "FALSE", "t", "null", "NaN", "2024-01-01", "#", "é😀"),
  fc.string({ unit: fc.constantFrom("a", "b", " ", ",", ";", '"', "\n", "\r\n", "\t", "'", "|"), maxLength: 6 }),
);

const writeValue = (text: string, quoted: boolean) =>
  quoted || /[",;|\t\r\n]|^ | $/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;

const table = fc
  .record({ columns: fc.integer({ min: 2, max: 4 }), end: lineEnds, delimiter: fc.constantFrom(",", ";", "\t", "|") })
  .chain(({ columns, end, delimiter }) =>
    fc.record({
      end: fc.constant(end),
      delimiter: fc.constant(delimiter),
      rows: fc.array(fc.array(fc.tuple(value, fc.boolean()), { minLength: columns, maxLength: columns }), {
        minLength: 1,
        maxLength: 5,
      }),
      last: fc.boolean(),
    }),
  );

test("values that are written as CSV are read back unchanged, from a body and from a file", async () => {
  let files = 0;
  await fc.assert(
    fc.asyncProperty(table, async ({ rows, end, delimiter, last }) => {
      const names = ["n", ...(rows[0] ?? []).map((_, i) => `c${i}`)];
      const lines = rows.map((row, n) => [String(n + 1), ...row.map(([text, quoted]) => writeValue(text, quoted))]);
      const text = [names, ...lines].map((line) => line.join(delimiter)).join(end) + (last ? end : "");
      const events = parseCsv(text, { delimiter });
      const asText = (cell: unknown) => (cell === null ? "" : typeof cell === "string" ? cell : undefined);
      for (const [n, event] of events.entries()) {
        for (const [i, [expected]] of (rows[n] ?? []).entries()) {
          const text = asText(event[`c${i}`]);
          if (text !== undefined) expect(text).toBe(expected);
          else expect(typeof event[`c${i}`] === "boolean" || Number(expected) === event[`c${i}`]).toBe(true);
        }
      }
      files += 1;
      const file = path.join(dir, `${files}.csv`);
      await writeFile(file, text);
      expect(await open.datasets.load(`d${files}`, file)).toEqual({ rows: rows.length });
      const loaded = await open.rows(`d${files} | order by n asc | project ${names.join(", ")}`);
      expect(loaded).toEqual(events.map((event) => names.map((name) => event[name])));
    }),
    { numRuns: runsOf(60) },
  );
});
