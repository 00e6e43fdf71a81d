import type { Expression, OperatorOf, Summarize } from "../ast";
import { as, name as nameNode } from "../nodes";
import { integer, raise } from "../sql";
import { cast, castForJson, type Value } from "../types";
import type { Context } from "./context";
import { planExpression } from "./expression";
import { aggregationOf, type Column, type Relation, rowsOf } from "./relation";
import { effectiveWindow } from "./resolution";
import { constantScope, scopeOf } from "./scope";
import { planSummary } from "./summarize";

const maxBins = 100_000;

/**
 * Plans `make-series`, which puts aggregations by time bins into lists: one row for each group, one element for each bin, and a
 * list of the times.
 */
export function makeSeries(context: Context, input: Relation, node: OperatorOf<"make-series">): Relation {
  const { start, step, count } = rangeOf(context, node);
  const time = planExpression(context, scopeOf(input), nameNode(node.time, node.at));
  const bin: Column = { name: "bin of make-series", sql: context.newName(), type: "long" };
  const place = `(epoch_us(${cast(time, "datetime")}) - ${start}) // ${step}`;
  const inRange = `epoch_us(${cast(time, "datetime")}) >= ${start} AND ${place} < ${count}`;
  const from = context.addStep(`SELECT *, ${place} AS ${bin.sql} FROM ${input.from} WHERE ${inRange}`);
  const keys = [...node.keys, as(bin.name, nameNode(bin.name, node.at))];
  const summarize: Summarize = { kind: "summarize", aggregates: node.series, keys, at: node.at };
  const summary = planSummary(context, { ...input, from, columns: [...input.columns, bin] }, summarize, false);
  const binned = context.addStep(summary.select);
  const groups = summary.columns.slice(0, node.keys.length);
  const binPlace = summary.columns[node.keys.length]?.sql ?? bin.sql;
  const values = summary.columns.slice(keys.length);
  const lists = values.map((column, i) => {
    const fallback = node.series[i]?.fallback;
    const missing = fallback ? planExpression(context, constantScope, fallback) : defaultOf(column);
    const { type } = column;
    const element = castForJson({ type, sql: `coalesce(${cast(column, type)}, ${cast(missing, type)})` });
    return { ...column, value: `CAST(to_json(list(${element} ORDER BY g.i)) AS JSON)` };
  });
  const timeList = `to_json(list_transform(range(${count}), lambda i: apl_iso(make_timestamp(${start} + i * ${step}))))`;
  const keyList = groups.map(({ sql }) => sql);
  const rows = keyList.length === 0 ? "(SELECT 1 AS one)" : `(SELECT DISTINCT ${keyList.join(", ")} FROM ${binned})`;
  const same = [`b.${binPlace} = g.i`, ...keyList.map((sql) => `b.${sql} IS NOT DISTINCT FROM k.${sql}`)].join(" AND ");
  const role = aggregationOf("make_list", [node.time]);
  const outputs = [...lists, { name: "time", role, value: timeList }].map((output) => ({
    ...output,
    sql: context.newName(),
    type: "dynamic" as const,
  }));
  const selects = [...keyList.map((sql) => `k.${sql}`), ...outputs.map(({ value, sql }) => `${value} AS ${sql}`)];
  const grouping = keyList.length === 0 ? "" : ` GROUP BY ${keyList.map((sql) => `k.${sql}`).join(", ")}`;
  const series = context.addStep(
    `SELECT ${selects.join(", ")} FROM ${rows} k CROSS JOIN range(${count}) g(i) LEFT JOIN ${binned} b ON ${same}${grouping}`,
  );
  return rowsOf(series, [...groups, ...outputs], { ties: keyList });
}

/** The default value of a bin without events: 0 for numbers. */
const defaultOf = ({ type }: Column): Value =>
  type === "long" || type === "real" ? { type: "long", sql: "0" } : { type: "null", sql: "NULL" };

/** The start, step and number of the bins, in microseconds. The default range is the query's. */
function rangeOf(context: Context, node: OperatorOf<"make-series">) {
  const { constant, type } = planExpression(context, constantScope, node.step);
  const step = type === "timespan" && typeof constant === "bigint" ? constant / 1000n : 0n;
  if (step <= 0n) context.fail("semantic", "the step of make-series is a span of time, such as 5m", node.at);
  const window = effectiveWindow(context.environment);
  const instant = (expression: Expression | null, fallback: bigint) => {
    if (expression === null) return integer(fallback);
    const value = planExpression(context, constantScope, expression);
    if (value.type === "datetime") return `epoch_us(${value.sql})`;
    return context.fail("semantic", "the range of make-series is from a time to a time", expression.at);
  };
  const first = ((window.start ?? 0n) / step) * step;
  const start = instant(node.from, first);
  const bins = `greatest(0, (${instant(node.to, window.end ?? first)} - ${start} + ${step - 1n}) // ${step})`;
  const tooMany = raise(`make-series makes at most ${maxBins} bins`);
  return { start, step, count: `(CASE WHEN ${bins} > ${maxBins} THEN ${tooMany} ELSE ${bins} END)` };
}
