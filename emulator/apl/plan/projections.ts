import type { ColumnPattern, NamedExpression, OperatorOf } from "../ast";
import { defined } from "../defined";
import { as, call, name as nameNode, ownName } from "../nodes";
import { typedSql, type Value } from "../types";
import type { Context } from "./context";
import { planExpression } from "./expression";
import { Namer } from "./naming";
import { aggregationOf, type Column, type Relation } from "./relation";
import type { Scope } from "./scope";

/** Adds new columns. An expression can use the old columns, and new ones whose names are not old. */
function computeColumns(context: Context, input: Relation, nodes: Columns, keep: boolean) {
  const namer = new Namer(nodes);
  const columns = new Map<string, Column>(keep ? input.columns.map((column) => [column.name, column]) : []);
  const visible = new Map(input.columns.map((column) => [column.name, column]));
  const pending = new Map<Column, Value>();
  let from = input.from;
  const makeStep = () => {
    const selects = [...pending].map(([{ sql }, value]) => `${typedSql(value)} AS ${sql}`);
    if (selects.length > 0) from = context.addStep(`SELECT *, ${selects.join(", ")} FROM ${from}`);
    pending.clear();
  };
  const lookAround = (sql: string) => {
    makeStep();
    const name = context.newName();
    from = context.addStep(`SELECT *, ${sql} AS ${name} FROM ${from}`);
    return name;
  };
  for (const node of nodes) {
    const used = new Set<Column>();
    const noteUse = (column: Column) => void used.add(column);
    const scope: Scope = { columns: visible, relation: input, aggregates: false, lookAround, noteUse };
    const value = planExpression(context, scope, node.value);
    const name = namer.nameColumn(node);
    const same = input.columns.find(({ sql }) => sql === value.sql);
    const role = same?.role ?? (input.summary ? aggregationOf() : undefined);
    const column: Column = { name, sql: same?.sql ?? context.newName(), type: value.type, ...defined({ role }) };
    // The inputs of a new column must exist before it.
    if ([...used].some((other) => pending.has(other))) makeStep();
    if (!same) pending.set(column, value);
    columns.delete(name);
    columns.set(name, column);
    if (!visible.has(name)) visible.set(name, column);
  }
  makeStep();
  return { from, columns: [...columns.values()] };
}

type Columns = readonly NamedExpression[];

export const extend = (context: Context, input: Relation, columns: Columns): Relation => ({
  ...input,
  ...computeColumns(context, input, columns, true),
});

export const project = (context: Context, input: Relation, columns: Columns): Relation => ({
  ...input,
  ...computeColumns(context, input, columns, false),
  unknown: "listed",
});

type Chosen = readonly ColumnPattern[];

function matcherOf(columns: Chosen) {
  const exact = new Set(columns.filter(({ wildcard }) => !wildcard).map(({ name }) => name));
  const prefixes = columns.filter(({ wildcard }) => wildcard).map(({ name }) => name);
  const maps = [...exact].map((name) => `${name}.`);
  return ({ name }: Column) => exact.has(name) || [...prefixes, ...maps].some((prefix) => name.startsWith(prefix));
}

export function projectAway(input: Relation, away: Chosen): Relation {
  const matches = matcherOf(away);
  return { ...input, columns: input.columns.filter((column) => !matches(column)) };
}

/** A kept field that no event has is treated as in every other operator. */
export function projectKeep(context: Context, input: Relation, kept: Chosen): Relation {
  const matches = matcherOf(kept);
  const columns = input.columns.filter(matches);
  const isKnown = (name: string) =>
    columns.some((column) => column.name === name || column.name.startsWith(`${name}.`));
  const absent = kept.filter(({ name, wildcard }) => !wildcard && !isKnown(name));
  const nodes = absent.map(({ name, at }) => as(name, nameNode(name, at)));
  return { ...input, ...computeColumns(context, { ...input, columns }, nodes, true), unknown: "listed" };
}

/** Puts the named columns first, and then the others. A pattern may sort its matches by name. */
export function projectReorder(input: Relation, { columns }: OperatorOf<"project-reorder">): Relation {
  const named = new Set(columns.filter(({ wildcard }) => !wildcard).map(({ name }) => name));
  const left = new Set(input.columns);
  const placed = new Map<(typeof columns)[number], Column[]>();
  // "*" matches the columns that no other pattern matches, regardless of its position.
  const bySpecificity = [...columns].sort(
    (a, b) => Number(a.wildcard) - Number(b.wildcard) || b.name.length - a.name.length,
  );
  for (const pattern of bySpecificity) {
    const matches = ({ name }: Column) =>
      pattern.wildcard ? name.startsWith(pattern.name) && !named.has(name) : name === pattern.name;
    const found = [...left].filter(matches);
    for (const column of found) left.delete(column);
    placed.set(pattern, sortByName(found, pattern.direction));
  }
  return { ...input, columns: [...columns.flatMap((pattern) => placed.get(pattern) ?? []), ...left] };
}

/** By name; as in the reference, `granny` sorts the numbers within names as numbers. */
function sortByName(columns: readonly Column[], direction: string | null): Column[] {
  if (direction === null) return [...columns];
  const { compare } = new Intl.Collator("en", { numeric: direction.startsWith("granny") });
  const sign = direction.endsWith("desc") ? -1 : 1;
  return [...columns].sort((a, b) => sign * compare(a.name, b.name));
}

/** Overwrites values of a column where the new value is not null. */
export function extendValid(context: Context, input: Relation, columns: Columns): Relation {
  const valid = columns.map((column): NamedExpression => {
    const name = column.name ?? ownName(column.value);
    if (name === undefined || !input.columns.some((known) => known.name === name)) return column;
    return { ...column, name, value: call("coalesce", column.value, nameNode(name)) };
  });
  return extend(context, input, valid);
}

export function projectRename(context: Context, input: Relation, node: OperatorOf<"project-rename">): Relation {
  const names = new Map(node.columns.map(({ to, from }) => [from, to]));
  const absent = node.columns.find(({ from }) => !input.columns.some(({ name }) => name === from));
  if (absent && input.unknown === "invalid")
    context.fail("field", `invalid field: ${JSON.stringify(absent.from)}`, absent.at);
  if (absent) context.fail("semantic", `there is no field "${absent.from}" to rename`, absent.at);
  const renamed = new Set(names.values());
  const kept = input.columns.filter(({ name }) => names.has(name) || !renamed.has(name));
  return { ...input, columns: kept.map((column) => ({ ...column, name: names.get(column.name) ?? column.name })) };
}
