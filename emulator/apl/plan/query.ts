import type { Operator, Query, StatementOf, Summarize } from "../ast";
import { defined } from "../defined";
import { raise } from "../sql";
import { mentions, nodesOf } from "../walk";
import type { Context } from "./context";
import { applyOperator, planPipeline, refuse } from "./pipeline";
import { type Column, fullOrder, identityColumns, type OrderKey, orderBy, type Relation } from "./relation";
import { planSummary, summaryRelation } from "./summarize";

/** The statements of a query and the roles of its columns. */
export interface QueryPlan {
  /** Temporary tables to create first, in order. */
  readonly setup: readonly { readonly table: string; readonly select: string }[];
  readonly rows: Selection;
  /** For a summary by time bins: the SELECT of its groups over the whole window. */
  readonly totals: Selection | undefined;
  /** A SELECT that counts the events that passed the filters. */
  readonly matched: string;
  /** Where the number of these events is available without a second scan: as the number of rows, or as a single count. */
  readonly matchedIn?: "rows" | "count";
}

export interface Selection {
  readonly sql: string;
  /** The maximum number of rows. The statement selects one more, to detect whether there are more. */
  readonly limit: number;
  readonly relation: Relation;
  /** The order of the rows, if they are ordered by columns. */
  readonly order: readonly OrderKey[];
}

/** The operators that filter or change single rows: the rows after them are the matched ones. */
const filterOperators: ReadonlySet<Operator["kind"]> = new Set([
  "where",
  "extend",
  "project",
  "project-away",
  "project-keep",
  "project-rename",
  "project-reorder",
  "extend-valid",
  "parse-kv",
  "redact",
  "sample",
  "parse",
  "search",
  "order",
]);

/** The default limit of rows, and the maximum. */
export const defaultLimit = 1000;
export const maxLimit = 50_000;

export function planQuery(context: Context, query: Query): QueryPlan {
  // First, so that unsupported parts are reported before any other problem.
  for (const node of nodesOf(query, "unsupported")) refuse(context, node);
  const { statements, body } = query;
  for (const statement of statements) {
    if (statement.kind === "set") checkOption(context, statement);
    if (statement.kind !== "let") continue;
    const { name, value } = statement;
    if (value.kind === "scalar") context.scalars.set(name, value.value);
    else context.tables.set(name, value.body);
  }
  const { source, operators } = body;
  const first = operators.findIndex(({ kind }) => !filterOperators.has(kind));
  const [filters, others] = first < 0 ? [operators, []] : [operators.slice(0, first), operators.slice(first)];
  let relation = planPipeline(context, { source, operators: filters });
  const matched = context.statement(`SELECT count(*) FROM ${relation.from}`);
  const last = others.findLastIndex(({ kind }) => kind === "summarize");
  for (const [i, operator] of others.entries()) {
    if (i === last && operator.kind === "summarize") {
      const binned = planBinned(context, relation, operator, others.slice(i + 1), matched);
      if (binned) return binned;
    }
    relation = applyOperator(context, relation, operator);
  }
  const isCount = others.length === 1 && others[0]?.kind === "count";
  const matchedIn = others.length === 0 ? "rows" : isCount ? "count" : undefined;
  return { setup: [], rows: selectRows(context, relation), totals: undefined, matched, ...defined({ matchedIn }) };
}

/** Options without effect: types are already as strict as possible without a schema. */
const knownOptions: ReadonlySet<string> = new Set(["stricttypes"]);

function checkOption(context: Context, { name, at }: StatementOf<"set">) {
  if (!knownOptions.has(name)) context.fail("unsupported", `the option "${name}" is not supported by the emulator`, at);
}

/**
 * A summary by time bins has two results: the series and the totals. Both come from one scan into a table, and the
 * following operators run on both. The totals have no bin, so operators on the bin do not apply to them.
 */
function planBinned(
  context: Context,
  input: Relation,
  node: Summarize,
  rest: readonly Operator[],
  matched: string,
): QueryPlan | undefined {
  const { select, columns, total } = planSummary(context, input, node, true);
  if (total === undefined) return undefined;
  const table = context.newName();
  const setup = [{ table, select: context.statement(select) }];
  context.restart();
  const binFirst = columns[0]?.role?.kind === "bin";
  const bins = new Set(columns.filter(({ role }) => role?.kind === "bin").map(({ name }) => name));
  let series = summaryRelation(context.addStep(`SELECT * FROM ${table} WHERE ${total} = 0`), columns);
  let totals = summaryRelation(context.addStep(`SELECT * FROM ${table} WHERE ${total} = 1`), columns);
  for (const operator of rest) {
    totals = applyToTotals(context, totals, operator, bins);
    const top = operator.kind === "take" && binFirst && series.summary;
    series = top ? keepGroups(context, series, totals) : applyOperator(context, series, operator);
  }
  if (!series.summary) return { setup, matched, rows: selectRows(context, series), totals: undefined };
  return { setup, matched, rows: selectRows(context, series), totals: selectRows(context, removeBins(totals)) };
}

function applyToTotals(context: Context, totals: Relation, operator: Operator, bins: ReadonlySet<string>): Relation {
  if (operator.kind === "order") {
    const keys = operator.keys.filter(({ value }) => !mentions(value, bins));
    return keys.length === 0 ? totals : applyOperator(context, totals, { ...operator, keys });
  }
  if (operator.kind === "where" && mentions(operator.predicate, bins)) return totals;
  if (operator.kind === "take")
    return applyOperator(context, { ...totals, order: [...totals.order, ...orderGreatestFirst(totals)] }, operator);
  return applyOperator(context, totals, operator);
}

/** The default order of groups: the greatest value of the first aggregation first. */
function orderGreatestFirst({ columns }: Relation): OrderKey[] {
  const first = columns.find(({ role, type }) => role?.kind === "aggregation" && type !== "dynamic");
  const keys = first ? [{ sql: first.sql, desc: true, nulls: "last", name: first.name } as const] : [];
  return [...keys, ...orderByKeys(columns)];
}

/** After time bins a limit applies to groups: each bin keeps the top groups of the whole window. */
function keepGroups(context: Context, series: Relation, totals: Relation): Relation {
  const keys = series.columns.filter(({ role }) => role?.kind === "key");
  const same = keys.map(({ sql }) => `g.${sql} IS NOT DISTINCT FROM r.${sql}`).join(" AND ") || "true";
  const select = `SELECT * FROM ${series.from} AS r WHERE EXISTS (SELECT 1 FROM ${totals.from} AS g WHERE ${same})`;
  return { ...series, from: context.addStep(select), limited: true };
}

const removeBins = (relation: Relation): Relation => ({
  ...relation,
  columns: relation.columns.filter(({ role }) => role?.kind !== "bin"),
  order: relation.order.filter(
    ({ name }) => !relation.columns.some((column) => column.role?.kind === "bin" && column.name === name),
  ),
});

const orderByKeys = (columns: readonly Column[]): OrderKey[] =>
  columns
    .filter(({ role }) => role?.kind === "key" || role?.kind === "bin")
    .map(({ sql, name }) => ({ sql, name, desc: false, nulls: "last" }));

/** A text of gigabytes would crash the process that reads it. */
const maxText = 16_777_216;

const boundText = (sql: string) =>
  `CASE WHEN strlen(${sql}) > ${maxText} THEN ${raise(`a value has more than ${maxText} bytes`)} ELSE ${sql} END`;

/** The last statement: the identity and the columns of each row, and one row more than the limit. */
function selectRows(context: Context, relation: Relation): Selection {
  const { columns, identity, from } = relation;
  const order = fullOrder(relation);
  const hidden = identity ? identityColumns(identity) : [];
  const shown = columns.map(({ sql, type }) =>
    type === "timespan" ? `apl_span_text(${sql})` : type === "string" || type === "dynamic" ? boundText(sql) : sql,
  );
  const list = [...hidden, ...shown].map((sql, i) => `${sql} AS o${i}`).join(", ") || "1 AS o0";
  const limit = relation.limited || relation.summary ? maxLimit : defaultLimit;
  const sql = context.statement(`SELECT ${list} FROM ${from}${orderBy(order)} LIMIT ${limit + 1}`);
  return { relation, order, limit, sql };
}
