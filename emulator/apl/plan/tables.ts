import type { SourceOf } from "../ast";
import { rangeList } from "../functions/range";
import { quote } from "../sql";
import { cast, nullValue, wireTypes } from "../types";
import type { Context } from "./context";
import { planExpression } from "./expression";
import { findType } from "./literal";
import { type Column, type OrderKey, type Relation, rowsOf } from "./relation";
import { constantScope } from "./scope";

/** Plans `datatable`: rows with values from the query itself. */
export function datatable(context: Context, { columns: declared, values, at }: SourceOf<"datatable">): Relation {
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
  return constantRows(context, columns, rows);
}

/** The row of nulls, which is not shown, gives the columns their types, also without other rows. */
function constantRows(context: Context, columns: readonly Column[], rows: readonly (readonly string[])[]): Relation {
  const empty = columns.map(({ type }) => cast(nullValue, type));
  const index = context.newName();
  const names = [index, ...columns.map(({ sql }) => sql)].join(", ");
  const body = [["-1", ...empty], ...rows.map((row, i) => [String(i), ...row])].map((row) => `(${row.join(", ")})`);
  const from = context.addStep(`SELECT * FROM (VALUES ${body.join(", ")}) AS v(${names}) WHERE ${index} >= 0`);
  return rowsOf(from, columns, { ties: [index] });
}

/** The columns as rows. */
export function getschema(context: Context, input: Relation): Relation {
  const names = ["ColumnName", "ColumnOrdinal", "ColumnType", "DataType"];
  const columns = names.map(
    (name): Column => ({ name, sql: context.newName(), type: name === "ColumnOrdinal" ? "long" : "string" }),
  );
  const rows = input.columns.map(({ name, type }, i) => [quote(name), `${i}`, quote(type), quote(wireTypes[type])]);
  const order = columns.slice(1, 2).map(({ sql, name }): OrderKey => ({ sql, desc: false, nulls: "last", name }));
  return { ...constantRows(context, columns, rows), order, limited: true };
}

/** Plans `range`: one row for each value from a start to an end. */
export function rangeRows(context: Context, { name, from, to, step, at }: SourceOf<"range">): Relation {
  const [first, last, by] = [from, to, step].map((node) => planExpression(context, constantScope, node));
  const list = first && last && rangeList(first, last, by);
  if (!list) return context.fail("semantic", "range takes numbers, spans, or times with a span", at);
  const [all, index] = [context.newName(), context.newName()];
  const column: Column = { name, sql: context.newName(), type: list.type };
  const rows = context.addStep(
    `SELECT unnest(${all}) AS ${column.sql}, unnest(range(len(${all}))) AS ${index} FROM (SELECT ${list.sql} AS ${all})`,
  );
  return rowsOf(rows, [column], { ties: [index] });
}
