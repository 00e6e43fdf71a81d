import { writeFile } from "node:fs/promises";
import path from "node:path";
import { expect, test } from "@jest/globals";
import fc from "fast-check";
import { readEvents } from "../../../emulator/engine/readEvents";
import { runsOf } from "../../fuzz/random";
import { shareDatasets } from "./support";

const open = shareDatasets({});

/** Values with all that CSV has a meaning for; a quote within or a line's end makes quotes necessary. */
const value = fc.oneof(
  fc.constantFrom("", "0", "-7", "007", "1.5", "1e3", "true", "FALSE", "t", "null", "NaN", "2024-01-01", "#", "é😀"),
  fc.string({ unit: fc.constantFrom("a", "b", " ", ",", ";", '"', "\n", "\r\n", "\t", "'", "|"), maxLength: 6 }),
);

const writeValue = (text: string, quoted: boolean) =>
  quoted || /[",;|\t\r\n]|^ | $/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;

const rowOf = (columns: number) => fc.array(fc.tuple(value, fc.boolean()), { minLength: columns, maxLength: columns });
const table = fc.record({
  rows: fc.integer({ min: 2, max: 4 }).chain((n) => fc.array(rowOf(n), { minLength: 1, maxLength: 5 })),
  end: fc.constantFrom("\n", "\r\n", "\r"),
  delimiter: fc.constantFrom(",", ";", "\t", "|"),
  last: fc.boolean(),
});

test("values that are written as CSV are read back unchanged, from a body and from a file", async () => {
  let files = 0;
  await fc.assert(
    fc.asyncProperty(table, async ({ rows, end, delimiter, last }) => {
      const names = ["n", ...(rows[0] ?? []).map((_, i) => `c${i}`)];
      const lines = rows.map((row, n) => [String(n + 1), ...row.map(([text, quoted]) => writeValue(text, quoted))]);
      const text = [names, ...lines].map((line) => line.join(delimiter)).join(end) + (last ? end : "");
      const body = { kind: "csv", bytes: Buffer.from(text), delimiter } as const;
      const events = (await readEvents(body)) as Readonly<Record<string, unknown>>[];
      for (const [n, row] of rows.entries())
        for (const [i, [written]] of row.entries()) {
          const cell = events[n]?.[`c${i}`] ?? "";
          const expected = { number: Number(written), boolean: /^true$/i.test(written), string: written };
          expect(cell).toBe(expected[typeof cell as keyof typeof expected]);
        }
      files += 1;
      const file = path.join(open.dir, `${files}.csv`);
      await writeFile(file, text);
      expect(await open.datasets.load(`d${files}`, file)).toEqual({ rows: rows.length });
      const loaded = await open.rows(`d${files} | order by n asc | project ${names.join(", ")}`);
      expect(loaded).toEqual(events.map((event) => names.map((name) => event[name])));
    }),
    { numRuns: runsOf(30) },
  );
});
