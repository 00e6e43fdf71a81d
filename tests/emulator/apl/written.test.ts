import { expect, test } from "@jest/globals";
import { spanEvents, spans, written } from "./corpus/written";
import { LOGS, ODD, shareDatasets } from "./support";

const open = shareDatasets({ logs: LOGS, odd: ODD, spans: spanEvents });

test.each(written)("$apl with $variables", async ({ apl, variables = {}, columns, rows }) => {
  const { tables } = await open.datasets.apl({ apl, variables }, { format: "tabular" });
  const [found] = tables;
  expect(found?.fields.map(({ name }) => name)).toEqual(columns);
  expect((found?.columns[0] ?? []).flatMap((_, i) => found?.columns.map((column) => column[i]))).toEqual(rows);
});

test.each(spans)("spans | %s", async (pipeline, values) => {
  expect(await open.column(`spans | ${pipeline}`)).toEqual(values);
});

test("a field whose spans turn out to be texts keeps every text", async () => {
  for (const t of ["1.5ms", "soon", "2h0m0s", null]) await open.datasets.ingest("mixed", [{ t }]);
  expect(await open.rows("mixed | getschema | where ColumnName == 't' | project ColumnType")).toEqual([["string"]]);
  expect(await open.column("mixed | where isnotnull(t) | summarize make_set(t)")).toEqual([
    ["1.5ms", "2h0m0s", "soon"],
  ]);
});
