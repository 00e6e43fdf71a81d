import type { Columns, Expression, MvExpand, NamedExpression, Pick, Rename, SortKey } from "../ast";
import { quote } from "../sql";
import { cast, NULL, SQL_TYPES, strict, type Value, WIRE_TYPES } from "../types";
import type { Context } from "./context";
import { condition, expression } from "./expression";
import { typeNamed } from "./literal";
import { Namer } from "./naming";
import type { Column, OrderKey, Relation } from "./relation";
import { CONSTANT, type Scope, scopeOf } from "./scope";
import { summaryRelation } from "./summarize";

export const where = (context: Context, input: Relation, predicate: Expression): Relation => ({
  ...input,
  from: context.step(`SELECT * FROM ${input.from} WHERE ${condition(context, scopeOf(input), predicate)}`),
});

/** SQL for a column of a step; a null has no type of its own there. */
const selected = (value: Value, name: string) =>
  `${value.type === "null" ? `CAST(NULL AS ${SQL_TYPES.null})` : strict(value)} AS ${name}`;

/** New columns over the old ones. An expression sees the old columns, and the new names that no old one has. */
function computed(context: Context, input: Relation, nodes: readonly NamedExpression[], keep: boolean) {
  const namer = new Namer(nodes);
  const columns = new Map<string, Column>(keep ? input.columns.map((column) => [column.name, column]) : []);
  const visible = new Map(input.columns.map((column) => [column.name, column]));
  let from = input.from;
  let selects: string[] = [];
  const flush = () => {
    if (selects.length > 0) from = context.step(`SELECT *, ${selects.join(", ")} FROM ${from}`);
    selects = [];
  };
  for (const node of nodes) {
    const scope: Scope = { columns: visible, relation: input, aggregates: false };
    const value = expression(context, scope, node.value);
    const name = namer.column(node);
    const same = input.columns.find(({ sql }) => sql === value.sql);
    const role =
      same?.role ??
      (input.summary ? ({ kind: "aggregation", op: "expression", fields: [], args: [] } as const) : undefined);
    const column: Column = { name, sql: same?.sql ?? context.fresh(), type: value.type, ...(role && { role }) };
    if (selects.some((select) => value.sql.match(/\bx\d+\b/g)?.includes(select.slice(select.lastIndexOf(" ") + 1))))
      flush();
    if (!same) selects.push(selected(value, column.sql));
    columns.delete(name);
    columns.set(name, column);
    if (!visible.has(name)) visible.set(name, column);
  }
  flush();
  return { from, columns: [...columns.values()] };
}

export const extend = (context: Context, input: Relation, { columns }: Columns): Relation => ({
  ...input,
  ...computed(context, input, columns, true),
});

export const project = (context: Context, input: Relation, { columns }: Columns): Relation => ({
  ...input,
  ...computed(context, input, columns, false),
  open: false,
});

const matcher = ({ columns }: Pick) => {
  const exact = new Set(columns.filter(({ wildcard }) => !wildcard).map(({ name }) => name));
  const prefixes = columns.filter(({ wildcard }) => wildcard).map(({ name }) => name);
  return ({ name }: Column) => exact.has(name) || prefixes.some((prefix) => name.startsWith(prefix));
};

export function projectAway(_: Context, input: Relation, node: Pick): Relation {
  const matches = matcher(node);
  return { ...input, columns: input.columns.filter((column) => !matches(column)) };
}

export const projectKeep = (_: Context, input: Relation, node: Pick): Relation => ({
  ...input,
  columns: input.columns.filter(matcher(node)),
  open: false,
});

export function projectRename(context: Context, input: Relation, node: Rename): Relation {
  const names = new Map(node.columns.map(({ to, from }) => [from, to]));
  const absent = node.columns.find(({ from }) => !input.columns.some(({ name }) => name === from));
  if (absent) context.fail("semantic", `there is no field "${absent.from}" to rename`, absent.at);
  const renamed = new Set(names.values());
  const kept = input.columns.filter(({ name }) => names.has(name) || !renamed.has(name));
  return { ...input, columns: kept.map((column) => ({ ...column, name: names.get(column.name) ?? column.name })) };
}

/** Nulls come last in descending order and first in ascending, unless the query says otherwise. */
export function order(context: Context, input: Relation, keys: readonly SortKey[]): Relation {
  const selects: string[] = [];
  const sorted = keys.flatMap(({ value: node, desc, nulls }): OrderKey[] => {
    const value = expression(context, scopeOf(input), node);
    const name = node.kind === "name" ? node.name : undefined;
    const key = (sql: string): OrderKey => ({ sql, desc, nulls: nulls ?? (desc ? "last" : "first"), name });
    const column = (sql: string) => {
      const fresh = context.fresh();
      selects.push(`${sql} AS ${fresh}`);
      return key(fresh);
    };
    // Numbers in a dynamic field sort as numbers, and before or after its texts.
    if (value.type === "dynamic") return [column(cast(value, "real")), column(cast(value, "string"))];
    return [
      input.columns.some(({ sql }) => sql === value.sql)
        ? key(value.sql)
        : column(selected(value, "").replace(/ AS $/, "")),
    ];
  });
  const from = selects.length === 0 ? input.from : context.step(`SELECT *, ${selects.join(", ")} FROM ${input.from}`);
  return { ...input, from, order: sorted };
}

/** The argument of take and top: a whole number known before the query runs. */
export function count(context: Context, node: Expression): string {
  const value = expression(context, CONSTANT, node);
  const digits = /^CAST\((\d+) AS BIGINT\)$/.exec(value.sql)?.[1];
  return digits ?? context.fail("semantic", "expected a whole number of rows", node.at);
}

/** One row for each element of a list; of a bag, one for each key. A null stays one row, an empty list none. */
export function mvExpand(context: Context, input: Relation, node: MvExpand): Relation {
  const foreign = node.options.find(
    ({ name, value }) => name !== "with_itemindex" && !(value === "array" || value === "bag"),
  );
  if (foreign)
    context.fail("unsupported", `mv-expand ${foreign.name}=${foreign.value} is not supported by the emulator`, node.at);
  const limit = node.limit === null ? undefined : count(context, node.limit);
  const namer = new Namer(node.expansions);
  const lists = node.expansions.map((expansion) => {
    const value = expression(context, scopeOf(input), expansion.value);
    return {
      list: context.fresh(),
      sql: elements(value.type === "null" ? NULL : { type: "dynamic", sql: cast(value, "dynamic") }),
      item: context.fresh(),
      name: namer.column(expansion),
      type: expansion.type,
      at: expansion.at,
    };
  });
  const cut = (sql: string) => (limit === undefined ? sql : `list_slice(${sql}, 1, ${limit})`);
  const prepared = context.step(
    `SELECT *, ${lists.map(({ sql, list }) => `${cut(sql)} AS ${list}`).join(", ")} FROM ${input.from}`,
  );
  const index = context.fresh();
  const longest = `greatest(${lists.map(({ list }) => `len(${list})`).join(", ")})`;
  const unnested = lists.map(({ list, item }) => `unnest(${list}) AS ${item}`).join(", ");
  const expanded = context.step(`SELECT *, ${unnested}, unnest(range(${longest})) AS ${index} FROM ${prepared}`);
  const columns = new Map(input.columns.map((column) => [column.name, column]));
  const casts: string[] = [];
  for (const { name, item, type, at } of lists) {
    const target = type === null ? "dynamic" : typeNamed(context, type, at);
    const sql = context.fresh();
    casts.push(`${cast({ type: "dynamic", sql: `apl_json(${item})` }, target)} AS ${sql}`);
    columns.set(name, { name, sql, type: target });
  }
  const itemIndex = node.options.find(({ name }) => name === "with_itemindex")?.value;
  if (itemIndex !== undefined) columns.set(itemIndex, { name: itemIndex, sql: index, type: "long" });
  const from = context.step(`SELECT *, ${casts.join(", ")} FROM ${expanded}`);
  return { ...input, from, columns: [...columns.values()], ties: [...(input.ties ?? []), index] };
}

const elements = ({ sql, type }: Value): string =>
  type === "null"
    ? "[CAST(NULL AS JSON)]"
    : `CASE json_type(${sql}) WHEN 'ARRAY' THEN CAST(${sql} AS JSON[])
       WHEN 'OBJECT' THEN list_transform(json_keys(${sql}), lambda k: CAST(json_object(k, json_extract(${sql}, '/' || replace(replace(k, '~', '~0'), '/', '~1'))) AS JSON))
       ELSE [${sql}] END`;

/** The columns themselves as rows. */
export function getschema(context: Context, input: Relation): Relation {
  const names = ["ColumnName", "ColumnOrdinal", "ColumnType", "DataType"];
  const columns = names.map(
    (name): Column => ({ name, sql: context.fresh(), type: name === "ColumnOrdinal" ? "long" : "string" }),
  );
  const rows = input.columns.map(
    ({ name, type }, i) => `(${quote(name)}, ${i}::BIGINT, ${quote(type)}, ${quote(WIRE_TYPES[type])})`,
  );
  const body = rows.length === 0 ? "(NULL, NULL, NULL, NULL)" : rows.join(", ");
  const from = context.step(
    `SELECT * FROM (VALUES ${body}) AS v(${columns.map(({ sql }) => sql).join(", ")})${rows.length === 0 ? " WHERE false" : ""}`,
  );
  const [, ordinal] = columns;
  const key: OrderKey[] = ordinal ? [{ sql: ordinal.sql, desc: false, nulls: "last", name: ordinal.name }] : [];
  return { from, columns, order: key, open: false, limited: true, summary: false };
}

/** `count` is a summary of one row. */
export function countRows(context: Context, input: Relation): Relation {
  const column: Column = {
    name: "Count",
    sql: context.fresh(),
    type: "long",
    role: { kind: "aggregation", op: "count", fields: [], args: [] },
  };
  return summaryRelation(context.step(`SELECT count(*) AS ${column.sql} FROM ${input.from}`), [column]);
}
