import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { expect, test } from "@jest/globals";
import { openTestDatasets } from "./support";

/** One block and some more, in a file of more than a thread reads at once. */
const rows = 130_000;

test("events of more than one block, and of a large file, are each stored once and in order, during other reads", async () => {
  const dir = await mkdtemp(path.join(tmpdir(), "query-blocks-"));
  const file = path.join(dir, "large.ndjson");
  await writeFile(file, Array.from({ length: rows }, (_, i) => `{"i": ${i}, "text": "of a large file"}\n`).join(""));
  await using open = await openTestDatasets();
  const [loaded, logs] = await Promise.all([
    open.datasets.load("large", file),
    open.rows("logs | order by dur asc | project dur"),
  ]);
  expect([loaded, logs]).toEqual([{ rows }, [5, 7.5, 10, 15, 20.5, 100].map((dur) => [dur])]);
  const [sums, last, small] = await Promise.all([
    open.datasets.apl({ apl: "large | summarize count(), sum(i), max(i), dcount(text)" }),
    open.rows("large | project i | take 3"),
    open.rows("logs | count"),
  ]);
  expect(sums.status).toMatchObject({ blocksExamined: 2, rowsExamined: rows });
  const values = sums.buckets.totals[0]?.aggregations.map(({ value }) => value);
  expect(values).toEqual([rows, (rows * (rows - 1)) / 2, rows - 1, 1]);
  expect([last, small]).toEqual([[[rows - 1], [rows - 2], [rows - 3]], [[6]]]);
  await rm(dir, { recursive: true });
});
