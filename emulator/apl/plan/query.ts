import type { Operator, Query, Summarize } from "../ast";
import type { Context } from "./context";
import { mentions } from "./mentions";
import { apply, from } from "./pipeline";
import { type Column, fullOrder, type OrderKey, orderBy, type Relation } from "./relation";
import { summary, summaryRelation } from "./summarize";

/** What to run for a query, and what the columns of its answers mean. */
export interface QueryPlan {
  /** Statements that make temporary tables, in order. */
  readonly setup: readonly string[];
  readonly rows: Selection;
  /** Of a summary by bins of time: its groups over the whole window. */
  readonly totals: Selection | undefined;
  /** Counts the events that passed the filters. */
  readonly matched: string;
}

export interface Selection {
  readonly sql: string;
  readonly relation: Relation;
  /** The order the rows come in, as far as it is one of columns. */
  readonly order: readonly OrderKey[];
}

/** The operators that let rows through one by one: what comes out of them has been matched. */
const FILTERS: ReadonlySet<Operator["kind"]> = new Set([
  "where",
  "extend",
  "project",
  "project-away",
  "project-keep",
  "project-rename",
  "parse",
  "search",
  "order",
]);

/** Rows of an answer that asked for no limit, and the most of any. */
export const DEFAULT_LIMIT = 1000;
export const MAX_LIMIT = 50_000;

export function planQuery(context: Context, { statements, body }: Query): QueryPlan {
  for (const { name, value } of statements) {
    if (value.kind === "scalar") context.scalars.set(name, value.value);
    else context.tables.set(name, value.body);
  }
  const { operators } = body;
  const split = operators.findLastIndex(({ kind }) => kind === "summarize");
  let relation = from(context, { ...body, operators: [] });
  let matched: string | undefined;
  for (const [i, operator] of operators.entries()) {
    if (!FILTERS.has(operator.kind)) matched ??= counting(context, relation);
    if (i === split && operator.kind === "summarize") {
      const binned = planBinned(
        context,
        relation,
        operator,
        operators.slice(i + 1),
        matched ?? counting(context, relation),
      );
      if (binned) return binned;
    }
    relation = apply(context, relation, operator);
  }
  matched ??= counting(context, relation);
  return { setup: [], rows: selection(context, relation), totals: undefined, matched };
}

const counting = (context: Context, { from }: Relation) => context.statement(`SELECT count(*) FROM ${from}`);

/**
 * A summary by bins of time answers twice: with the series and with totals. Both come from one scan into a table, and the
 * operators that follow run on either. The totals have no bin: what sorts or filters by it passes them by.
 */
function planBinned(
  context: Context,
  input: Relation,
  node: Summarize,
  rest: readonly Operator[],
  matched: string,
): QueryPlan | undefined {
  const { select, columns, total } = summary(context, input, node, true);
  if (total === undefined) {
    return undefined;
  }
  const table = context.fresh();
  const setup = [`CREATE TEMP TABLE ${table} AS ${context.statement(select)}`];
  context.restart();
  const binFirst = columns[0]?.role?.kind === "bin";
  const bins = new Set(columns.filter(({ role }) => role?.kind === "bin").map(({ name }) => name));
  let series = summaryRelation(context.step(`SELECT * FROM ${table} WHERE ${total} = 0`), columns);
  let totals = summaryRelation(context.step(`SELECT * FROM ${table} WHERE ${total} = 1`), columns);
  for (const operator of rest) {
    totals = applyToTotals(context, totals, operator, bins);
    const top = operator.kind === "take" && binFirst && series.summary;
    series = top ? sameGroups(context, series, totals) : apply(context, series, operator);
  }
  if (!series.summary) return { setup, matched, rows: selection(context, series), totals: undefined };
  return { setup, matched, rows: selection(context, series), totals: selection(context, withoutBins(totals)) };
}

function applyToTotals(context: Context, totals: Relation, operator: Operator, bins: ReadonlySet<string>): Relation {
  if (operator.kind === "order") {
    const keys = operator.keys.filter(({ value }) => !mentions(value, bins));
    return keys.length === 0 ? totals : apply(context, totals, { ...operator, keys });
  }
  if (operator.kind === "where" && mentions(operator.predicate, bins)) return totals;
  if (operator.kind === "take")
    return apply(context, { ...totals, order: [...totals.order, ...greatestFirst(totals)] }, operator);
  return apply(context, totals, operator);
}

/** Without an order asked for, the top groups are those with most of the first aggregation. */
function greatestFirst({ columns }: Relation): OrderKey[] {
  const first = columns.find(({ role, type }) => role?.kind === "aggregation" && type !== "dynamic");
  const keys = first ? [{ sql: first.sql, desc: true, nulls: "last", name: first.name } as const] : [];
  return [...keys, ...keyOrder(columns)];
}

/** A limit after bins of time is one of groups: each bin keeps those that are among the top ones of the whole window. */
function sameGroups(context: Context, series: Relation, totals: Relation): Relation {
  const keys = series.columns.filter(({ role }) => role?.kind === "key");
  const same = keys.map(({ sql }) => `g.${sql} IS NOT DISTINCT FROM r.${sql}`).join(" AND ") || "true";
  const select = `SELECT * FROM ${series.from} AS r WHERE EXISTS (SELECT 1 FROM ${totals.from} AS g WHERE ${same})`;
  return { ...series, from: context.step(select), limited: true };
}

const withoutBins = (relation: Relation): Relation => ({
  ...relation,
  columns: relation.columns.filter(({ role }) => role?.kind !== "bin"),
  order: relation.order.filter(
    ({ name }) => !relation.columns.some((column) => column.role?.kind === "bin" && column.name === name),
  ),
});

const keyOrder = (columns: readonly Column[]): OrderKey[] =>
  columns
    .filter(({ role }) => role?.kind === "key" || role?.kind === "bin")
    .map(({ sql, name }) => ({ sql, name, desc: false, nulls: "last" }));

/** A text of gigabytes would end the process that reads it. */
const MAX_TEXT = 16_777_216;

const bounded = (sql: string) =>
  `CASE WHEN strlen(${sql}) > ${MAX_TEXT} THEN error('a value has more than ${MAX_TEXT} bytes') ELSE ${sql} END`;

/** The last statement: the columns to show, with what identifies a row, one row more than will be shown. */
function selection(context: Context, relation: Relation): Selection {
  const { columns, identity, from } = relation;
  const order = fullOrder(relation);
  const hidden = identity ? [identity.time, identity.sysTime, identity.sequence] : [];
  const shown = columns.map(({ sql, type }) => (type === "string" || type === "dynamic" ? bounded(sql) : sql));
  const list = [...hidden, ...shown].map((sql, i) => `${sql} AS o${i}`).join(", ") || "1 AS o0";
  const limit = (relation.limited || relation.summary ? MAX_LIMIT : DEFAULT_LIMIT) + 1;
  return { relation, order, sql: context.statement(`SELECT ${list} FROM ${from}${orderBy(order)} LIMIT ${limit}`) };
}
