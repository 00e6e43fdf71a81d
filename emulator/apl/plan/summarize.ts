import type { Call, Expression, NamedExpression, OperatorOf, Summarize } from "../ast";
import { as, name as nameNode, ownName } from "../nodes";
import { cast, comparable, typedSql, type Value } from "../types";
import { aggregationRole, isAggregate, planAggregate } from "./aggregate";
import { pickRow, type SummaryScope } from "./aggregateSite";
import type { Context } from "./context";
import { planExpression } from "./expression";
import { Namer } from "./naming";
import { type Column, type Relation, type Role, rowsOf } from "./relation";
import { autoBin, effectiveWindow } from "./resolution";
import { scopeOf } from "./scope";

/** A summary. A summary by time bins also has totals: the same groups over the whole window. */
export interface Summary {
  readonly select: string;
  readonly columns: readonly Column[];
  /** SQL column that is 0 in the rows of a bin and 1 in totals. */
  readonly total: string | undefined;
}

/** Plans `summarize`. With `withTotals`, a summary by time bins computes bins and totals in one scan. */
export function planSummary(context: Context, input: Relation, node: Summarize, withTotals: boolean): Summary {
  const namer = new Namer([...node.aggregates, ...node.keys]);
  const scope = scopeOf(input);
  const keys = node.keys.map((key) => keyColumn(context, input, key, namer));
  const keyNames = new Set(keys.map(({ column }) => column.name));
  const keyed = keys.map(
    ({ column, value }) => `${value.type === "real" ? comparable(value) : typedSql(value)} AS ${column.sql}`,
  );
  const from = keyed.length === 0 ? input.from : context.addStep(`SELECT *, ${keyed.join(", ")} FROM ${input.from}`);
  const bin = keys.flatMap(({ column: { role } }) => (role?.kind === "bin" ? [role] : []))[0];
  const hoisted: string[] = [];
  const inner: SummaryScope = {
    ...scope,
    aggregates: true,
    ...(bin && { binMicros: bin.micros }),
    hoist({ sql, type }) {
      const name = context.newName();
      hoisted.push(`${sql} AS ${name}`);
      return { sql: name, type };
    },
  };
  const outputs = node.aggregates.flatMap((aggregate) => aggregateColumns(context, inner, aggregate, namer, keyNames));
  const columns = [...keys.map(({ column }) => column), ...outputs.map(({ column }) => column)];
  const selects = ({ column, value }: Output) => `${typedSql(value)} AS ${column.sql}`;
  const list = [...outputs.filter(({ composite }) => !composite).map(selects), ...hoisted];
  const names = keys.map(({ column }) => column.sql);
  const binned = keys.find(({ column }) => column.role?.kind === "bin")?.column.sql;
  const total = withTotals && binned !== undefined ? context.newName() : undefined;
  const flag = total === undefined ? [] : [`grouping(${binned}) AS ${total}`];
  const rest = names.filter((name) => name !== binned).join(", ");
  const group = total === undefined ? names.join(", ") : `GROUPING SETS ((${names.join(", ")}), (${rest}))`;
  // Without groups and aggregations, count something to get one row.
  const selected = [...names, ...list, ...flag];
  if (selected.length === 0) selected.push(`count(*) AS ${context.newName()}`);
  const grouped = `SELECT ${selected.join(", ")} FROM ${from}${group === "" ? "" : ` GROUP BY ${group}`}`;
  const composites = outputs.filter(({ composite }) => composite).map(selects);
  const select =
    composites.length === 0 ? grouped : `SELECT *, ${composites.join(", ")} FROM ${context.addStep(grouped)}`;
  return { select, columns, total };
}

/** The rows of a summary, as the operators after it see them. */
export function summaryRelation(from: string, columns: readonly Column[]): Relation {
  const ties = columns.flatMap(({ sql, role }) => (role?.kind === "key" || role?.kind === "bin" ? [sql] : []));
  return rowsOf(from, columns, { ties, summary: true });
}

interface Output {
  readonly column: Column;
  readonly value: Value;
  /** An expression over aggregations: the database needs the aggregations first. */
  readonly composite?: boolean;
}

function keyColumn(context: Context, input: Relation, key: NamedExpression, namer: Namer): Output {
  const value = planKey(context, input, key.value);
  const role = binRole(context, input, key) ?? ({ kind: "key" } satisfies Role);
  return { column: { name: namer.nameColumn(key), sql: context.newName(), type: value.type, role }, value };
}

/** The value to group by. `histogram(x, n)` is the start of x's interval, of n between the least and the greatest x. */
function planKey(context: Context, input: Relation, node: Expression): Value {
  if (node.kind !== "call" || node.name !== "histogram") return planExpression(context, scopeOf(input), node);
  const [x, bins] = node.args.map(({ value }) => planExpression(context, scopeOf(input), value));
  if (!x || typeof bins?.constant !== "bigint" || bins.constant < 1n || node.args.length !== 2)
    return context.fail("semantic", "histogram() takes a field and the number of intervals", node.at);
  const number = cast(x, "real");
  const [low, high] = [`min(${number}) OVER ()`, `max(${number}) OVER ()`];
  const width = `nullif((${high} - ${low}) / ${bins.constant}, 0)`;
  const place = `least(floor((${number} - ${low}) / ${width}), ${bins.constant - 1n})`;
  return { type: "real", sql: `(${low} + coalesce(${place} * ${width}, ${number} - ${low}))`, isNumber: true };
}

/** `bin(_time, 1h)` and `bin_auto(_time)` define the time bins; a bin of anything else is an ordinary key. */
function binRole(context: Context, input: Relation, { value: node }: NamedExpression): Role | undefined {
  if (node.kind !== "call" || !/^(bin|bin_auto|floor)$/.test(node.name)) return undefined;
  const [field, size] = node.args.map(({ value }) => value);
  if (field?.kind !== "name") return undefined;
  const column = input.columns.find(({ name }) => name === field.name);
  if (column?.type !== "datetime" || (field.name !== "_time" && column.sql !== input.identity?.time)) return undefined;
  if (node.name === "bin_auto")
    return { kind: "bin", field: field.name, micros: autoBin(effectiveWindow(context.environment)) };
  const span = size && planExpression(context, scopeOf(input), size);
  return span?.type === "timespan" && typeof span.constant === "bigint"
    ? { kind: "bin", field: field.name, micros: span.constant / 1000n || 1n }
    : undefined;
}

function aggregateColumns(
  context: Context,
  scope: SummaryScope,
  node: NamedExpression,
  namer: Namer,
  keys: ReadonlySet<string>,
): Output[] {
  const { value: call } = node;
  if (call.kind === "call" && (call.name === "arg_max" || call.name === "arg_min"))
    return extremeRow(context, scope, call, node, namer, keys);
  const composite = !(call.kind === "call" && isAggregate(call.name));
  const { sql, type } = composite
    ? planExpression(context, scope, call)
    : planAggregate(context, scope, call, (inner, child) => planExpression(context, inner, child));
  const column: Column = {
    name: namer.nameAggregation(node),
    sql: context.newName(),
    type,
    role: aggregationRole(call),
  };
  return [{ column, value: { sql, type }, composite }];
}

/** `arg_max(x, a, b)`: the fields of the row in which x is greatest, and x itself. `*` stands for every field but the keys. */
function extremeRow(
  context: Context,
  scope: SummaryScope,
  call: Call,
  node: NamedExpression,
  namer: Namer,
  keys: ReadonlySet<string>,
): Output[] {
  const inner = { ...scope, aggregates: false };
  const relation = scope.relation;
  const [by, ...wanted] = call.args;
  if (!by || !relation)
    return context.fail("semantic", `${call.name}() takes an expression to compare, then the fields to keep`, call.at);
  const measure = planExpression(context, inner, by.value);
  const fields = wanted.flatMap(({ name, value }) => {
    if (value.kind === "star") {
      const others = relation.columns.filter((column) => column.name !== ownName(by.value) && !keys.has(column.name));
      return others.map((column): readonly [string, Value] => [column.name, column]);
    }
    const wantedName = name ?? ownName(value) ?? `${call.name}_${wanted.findIndex((w) => w.value === value) + 1}`;
    return [[wantedName, planExpression(context, inner, value)] as const];
  });
  const own = by.name ?? ownName(by.value) ?? `${call.name}_`;
  const all = [[own, measure] as const, ...fields];
  const values = all.map(([, value]) => value);
  const picked = pickRow(call.name, relation, measure, values);
  return all.map(([name, value], i) => ({
    column: {
      name: i === 0 && node.name ? node.name : namer.freeName(name),
      sql: context.newName(),
      type: value.type,
      role: aggregationRole(call),
    },
    value: { type: value.type, sql: `(${picked}).f${i}` },
  }));
}

/** `distinct` is a summary without aggregations. */
export function planDistinct(context: Context, input: Relation, node: OperatorOf<"distinct">): Relation {
  const visible = input.columns.filter(({ name }) => name !== "_sysTime");
  const keys: readonly NamedExpression[] =
    node.columns === "all" ? visible.map(({ name }) => as(name, nameNode(name, node.at))) : node.columns;
  const { select, columns } = planSummary(
    context,
    input,
    { kind: "summarize", aggregates: [], keys, at: node.at },
    false,
  );
  const roles = columns.map((column): Column => ({ ...column, role: { kind: "key" } }));
  return summaryRelation(context.addStep(select), roles);
}
