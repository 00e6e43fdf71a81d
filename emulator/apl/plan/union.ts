import type { Options, Pipeline, SourceOf } from "../ast";
import { type DatasetInfo, systemColumns } from "../catalog";
import { integer, quote, timestamp } from "../sql";
import { cast, unify } from "../types";
import type { After, Context, Window } from "./context";
import { planExpression } from "./expression";
import { extend } from "./projections";
import { type Column, freshIdentity, identityColumns, type Relation, rowsOf, unknownIn } from "./relation";
import { constantScope } from "./scope";

/** The condition for the rows in the window and on the page. */
export function rowCondition(
  { start, end }: Window,
  page?: { readonly after: After; readonly source: bigint },
): string {
  const bounds = [
    ...(start === undefined ? [] : [`${systemColumns.time} >= ${timestamp(start)}`]),
    ...(end === undefined ? [] : [`${systemColumns.time} < ${timestamp(end)}`]),
    ...(page ? [conditionBeyond(page.after, page.source)] : []),
  ];
  return bounds.length === 0 ? "" : ` WHERE ${bounds.join(" AND ")}`;
}

/** Events with the same time and position are ordered by source. */
function conditionBeyond({ micros, sequence, source, inclusive, oldestFirst }: After, own: bigint): string {
  const [time, order] = [timestamp(micros), oldestFirst ? ">" : "<"];
  const { time: t, sequence: q } = systemColumns;
  const isTaken = own === source ? inclusive : oldestFirst ? own > source : own < source;
  return `(${t} ${order} ${time} OR (${t} = ${time} AND ${q} ${order}${isTaken ? "=" : ""} ${sequence}))`;
}

/** The events of a dataset within the request's window. */
export function scanDataset(context: Context, info: DatasetInfo): Relation {
  const identity = freshIdentity(() => context.newName());
  const source = context.nextSource(info.id);
  const fields = info.fields.map(({ name, type, column }) => ({ name, type, column, sql: context.newName() }));
  const selects = [
    `${systemColumns.time} AS ${identity.time}`,
    `${systemColumns.sysTime} AS ${identity.sysTime}`,
    `${systemColumns.sequence} AS ${identity.sequence}`,
    `${integer(source)} AS ${identity.source}`,
    ...fields.map(({ column, sql }) => `${column} AS ${sql}`),
  ];
  const { window, after } = context.environment;
  const condition = rowCondition(window, after && { after, source });
  const columns: Column[] = [
    { name: "_time", sql: identity.time, type: "datetime" },
    { name: "_sysTime", sql: identity.sysTime, type: "datetime" },
    ...fields.map(({ name, sql, type }): Column => ({ name, sql, type, isNumber: true })),
  ];
  const from = context.addStep(`SELECT ${selects.join(", ")} FROM ${info.table}${condition}`);
  return rowsOf(from, columns, { identity, unknown: fields.length === 0 ? "null" : "invalid" });
}

/** The dataset with a name, or all datasets that match a wildcard. */
export function findDatasets(
  context: Context,
  { name: given, isVariable, at }: SourceOf<"dataset">,
): readonly DatasetInfo[] {
  const bound = isVariable ? planExpression(context, constantScope, { kind: "name", name: given, at }) : undefined;
  const name = bound ? bound.constant : given;
  if (typeof name !== "string") return context.fail("semantic", "table() takes the name of a dataset", at);
  const found = context.environment.reader.find(name);
  if (found.length === 0) context.fail("not-found", `there is no dataset ${JSON.stringify(name)}`, at);
  return found;
}

export interface Part {
  readonly relation: Relation;
  /** The value of withsource for the part's rows. */
  readonly source: string;
}

/** All rows of all parts. Columns with the same name become one, with a type for all values. */
export function unionParts(context: Context, parts: readonly Part[], options: Options, at: number): Relation {
  const { kind = "outer", withsource } = options;
  if (kind !== "outer") context.fail("unsupported", `union kind=${kind} is not supported by the emulator`, at);
  const names = [...new Set(parts.flatMap(({ relation }) => relation.columns.map(({ name }) => name)))];
  const identities = parts.flatMap(({ relation }) => relation.identity ?? []);
  const identified = identities.length === parts.length;
  const identity = freshIdentity(() => context.newName());
  const columns = names.map((name): Column => {
    // The events' time stays unchanged, so that the order by time stays known.
    const isTime =
      identified && parts.every(({ relation }) => columnOf(relation, name)?.sql === relation.identity?.time);
    if (isTime) return { name, sql: identity.time, type: "datetime" };
    const types = parts.map(({ relation }) => columnOf(relation, name)?.type ?? "null");
    return { name, sql: context.newName(), type: types.reduce(unify, "null") };
  });
  const source: Column | undefined =
    withsource === undefined ? undefined : { name: withsource, sql: context.newName(), type: "string" };
  const selects = parts.map(({ relation, source: label }) => {
    const fields = columns.flatMap(({ name, sql, type }) => {
      if (sql === identity.time) return [];
      const column = columnOf(relation, name);
      return `${cast(column ?? { sql: "NULL", type: "null" }, type === "null" ? "string" : type)} AS ${sql}`;
    });
    const own = relation.identity;
    const from = own && identified ? identityColumns(own) : [];
    const system = from.length === 0 ? [] : identityColumns(identity).map((to, i) => `${from[i]} AS ${to}`);
    const labels = source ? [`${quote(label)} AS ${source.sql}`] : [];
    return `SELECT ${[...fields, ...system, ...labels].join(", ") || "1 AS nothing"} FROM ${relation.from}`;
  });
  return rowsOf(context.addStep(selects.join(" UNION ALL ")), source ? [...columns, source] : columns, {
    ...(identified && { identity }),
    unknown: unknownIn(parts.map(({ relation }) => relation)),
  });
}

const columnOf = ({ columns }: Relation, name: string): Column | undefined =>
  columns.find((column) => column.name === name);

/** Plans `print`: one row of constants. */
export function printRow(context: Context, { columns }: SourceOf<"print">): Relation {
  const empty = rowsOf(context.addStep("SELECT 1 AS nothing"), [], { limited: true });
  const unnamed = columns.map((column, i) => (column.name === null ? { ...column, name: `print_${i}` } : column));
  return extend(context, empty, unnamed);
}

/** A pipeline's name in withsource. */
export function nameSource({ source }: Pipeline): string {
  if (source.kind === "dataset") return source.name;
  return source.kind === "pipeline" ? nameSource(source.body) : source.kind;
}
