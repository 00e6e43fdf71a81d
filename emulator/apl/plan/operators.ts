import type { Expression, OperatorOf, SortKey } from "../ast";
import { cast, comparable, typedSql } from "../types";
import type { Context } from "./context";
import { planCondition, planExpression } from "./expression";
import { aggregationOf, type Column, fullOrder, type OrderKey, orderBy, type Relation } from "./relation";
import { constantScope, scopeOf } from "./scope";
import { summaryRelation } from "./summarize";

/** The rows that match; with `caseSensitive`, text operators respect case. */
export function filterRows(context: Context, input: Relation, predicate: Expression, caseSensitive = false): Relation {
  let { from } = input;
  const lookAround = (sql: string) => {
    const name = context.newName();
    from = context.addStep(`SELECT *, ${sql} AS ${name} FROM ${from}`);
    return name;
  };
  const condition = planCondition(context, { ...scopeOf(input), caseSensitive, lookAround }, predicate);
  return { ...input, from: context.addStep(`SELECT * FROM ${from} WHERE ${condition}`) };
}

/** A random share of the rows. */
export function sampleRows(context: Context, input: Relation, { share, at }: OperatorOf<"sample">): Relation {
  const value = planExpression(context, constantScope, share);
  const portion = value.type === "real" ? Number(share.kind === "literal" ? share.value : Number.NaN) : Number.NaN;
  if (!(portion > 0 && portion < 1)) context.fail("semantic", "sample takes a share between 0 and 1, such as 0.1", at);
  return { ...input, from: context.addStep(`SELECT * FROM ${input.from} WHERE random() < ${portion}`) };
}

/** Nulls come last in descending order and first in ascending order, unless the query says otherwise. */
export function sortRows(context: Context, input: Relation, keys: readonly SortKey[]): Relation {
  const selects: string[] = [];
  const sorted = keys.flatMap(({ value: node, desc, nulls }): OrderKey[] => {
    const value = planExpression(context, scopeOf(input), node);
    const name = node.kind === "name" ? node.name : undefined;
    const key = (sql: string): OrderKey => ({ sql, desc, nulls: nulls ?? (desc ? "last" : "first"), name });
    const newColumn = (sql: string) => {
      const fresh = context.newName();
      selects.push(`${sql} AS ${fresh}`);
      return key(fresh);
    };
    // Numbers in a dynamic field sort as numbers, and before or after its texts.
    if (value.type === "dynamic") return [newColumn(cast(value, "real")), newColumn(cast(value, "string"))];
    return [
      input.columns.some(({ sql }) => sql === value.sql)
        ? key(value.sql)
        : newColumn(comparable({ ...value, sql: typedSql(value), loose: false })),
    ];
  });
  const from =
    selects.length === 0 ? input.from : context.addStep(`SELECT *, ${selects.join(", ")} FROM ${input.from}`);
  return { ...input, from, order: sorted };
}

/** The argument of take and top: a constant whole number. */
export function constantCount(context: Context, node: Expression): bigint {
  const { constant } = planExpression(context, constantScope, node);
  if (typeof constant === "bigint" && constant >= 0n) return constant;
  return context.fail("semantic", "expected a whole number of rows", node.at);
}

/** Limits the rows in the requested order, or else newest first. */
export const limitRows = (context: Context, input: Relation, count: bigint): Relation => ({
  ...input,
  from: context.addStep(`SELECT * FROM ${input.from}${orderBy(fullOrder(input))} LIMIT ${count}`),
  limited: true,
});

/** Plans `count`: a summary of one row. */
export function countRows(context: Context, input: Relation): Relation {
  const column: Column = { name: "count", sql: context.newName(), type: "long", role: aggregationOf("count") };
  return summaryRelation(context.addStep(`SELECT count(*) AS ${column.sql} FROM ${input.from}`), [column]);
}
