import type { Datatable, RangeSource } from "../ast";
import { cast } from "../types";
import type { Context } from "./context";
import { planExpression } from "./expression";
import { findType } from "./literal";
import type { Column, Relation } from "./relation";
import { constantScope } from "./scope";

/** Rows from the query's own values. */
export function datatable(context: Context, { columns: declared, values, at }: Datatable): Relation {
  const columns = declared.map(
    ({ name, type, at: place }): Column => ({
      name,
      sql: context.newName(),
      type: findType(context, type ?? "", place),
    }),
  );
  const width = columns.length;
  if (values.length % width !== 0)
    context.fail("semantic", `${values.length} values do not fill rows of ${width} columns`, at);
  const cells = values.map((value, i) => {
    const type = columns[i % width]?.type ?? "string";
    return cast(planExpression(context, constantScope, value), type);
  });
  const rows = Array.from({ length: cells.length / width }, (_, i) => cells.slice(i * width, (i + 1) * width));
  const empty = columns.map(({ type }) => cast({ sql: "NULL", type: "null" }, type));
  const index = context.newName();
  const names = [index, ...columns.map(({ sql }) => sql)].join(", ");
  const body = [["-1", ...empty], ...rows.map((row, i) => [String(i), ...row])].map((row) => `(${row.join(", ")})`);
  const from = context.addStep(`SELECT * FROM (VALUES ${body.join(", ")}) AS v(${names}) WHERE ${index} >= 0`);
  return { from, columns, order: [], ties: [index], open: false, limited: false, summary: false };
}

/** One row for each value from a start to an end. */
export function rangeRows(context: Context, { name, from, to, step, at }: RangeSource): Relation {
  const [first, last, by] = [from, to, step].map((node) => planExpression(context, constantScope, node));
  const isTime = first?.type === "datetime" && last?.type === "datetime" && by?.type === "timespan";
  const isSpan = [first, last, by].every((value) => value?.type === "timespan");
  const isNumber = [first, last, by].every((value) => value?.type === "long" || value?.type === "real");
  if (!first || !last || !by || !(isTime || isSpan || isNumber))
    return context.fail("semantic", "range takes numbers, or times and a span, from one to the other", at);
  const isReal = [first, last, by].some(({ type }) => type === "real");
  const type = isReal ? "real" : first.type;
  const number = (value: typeof first) =>
    value.type === "datetime" ? `epoch_us(${value.sql}) * 1000` : cast(value, isReal ? "real" : value.type);
  const [start, end, stride] = [first, last, by].map((value) => `(${number(value)})`);
  const index = context.newName();
  const column: Column = { name, sql: context.newName(), type };
  const value = `${start} + ${index} * ${stride}`;
  const sql = isTime
    ? `make_timestamp(CAST((${value}) // 1000 AS BIGINT))`
    : `CAST(${value} AS ${isReal ? "DOUBLE" : "BIGINT"})`;
  const count = `CASE WHEN ${stride} = 0 THEN 0 ELSE greatest(0, CAST(floor((${end} - ${start}) / ${stride}) AS BIGINT) + 1) END`;
  const rows = context.addStep(
    `SELECT ${sql} AS ${column.sql}, ${index} FROM range(least(${count}, ${maxRows})) t(${index})`,
  );
  return { from: rows, columns: [column], order: [], ties: [index], open: false, limited: false, summary: false };
}

/** The maximum number of rows, as in the function `range`. */
const maxRows = 1_048_576;
