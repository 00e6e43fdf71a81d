import type { Call, Expression } from "../ast";
import { cast, comparable, isNumeric, type Value } from "../types";
import { histogram, makeList, makeSet, percentile, percentiles, presence, topk } from "./aggregateLists";
import { type AggregateSite, type AggregateSpec, firstOf, pickRow, type SummaryScope } from "./aggregateSite";
import type { Context } from "./context";
import { maxLong } from "./literal";
import { aggregationOf, type Role } from "./relation";
import { effectiveWindow, windowMicros } from "./resolution";
import { expandStar, type PlanInner, type Scope } from "./scope";

/** Casts the value to a type with a sum: a long, a span or a real. */
function castSummable(site: AggregateSite): Value {
  const value = firstOf(site);
  const keep = isNumeric(value.type) || value.type === "timespan";
  return keep ? value : { type: "real", sql: cast(value, "real") };
}

const statistic = (name: string): AggregateSpec => ({
  params: [1, 1],
  sql: (site) => {
    const value = castSummable(site);
    const sql = `${name}(${cast({ ...value, type: value.type === "timespan" ? "long" : value.type }, "real")})${site.filter()}`;
    return value.type === "timespan"
      ? { type: "timespan", sql: `CAST(round(${sql}) AS BIGINT)` }
      : { type: "real", sql };
  },
});

/** In a dynamic field, numbers come before texts. */
const extremeAggregate = (name: "min" | "max"): AggregateSpec => ({
  params: [1, 1],
  sql: (site) => {
    const value = firstOf(site);
    if (value.type !== "dynamic")
      return { type: value.type, sql: `${name}(${cast(value, value.type)})${site.filter()}` };
    const [number, text] = [`${name}(${cast(value, "real")})`, `${name}(${cast(value, "string")})`].map(
      (sql) => `${sql}${site.filter()}`,
    );
    return { type: "dynamic", sql: `CAST(coalesce(to_json(apl_finite(${number})), to_json(${text})) AS JSON)` };
  },
});

/** The value of the second field in the row where the first is least or greatest; without a second field, the first. */
const pickAggregate = (name: string): AggregateSpec => ({
  params: [1, 2],
  sql: (site) => {
    const by = firstOf(site);
    const wanted = site.values[1] ?? by;
    return { type: wanted.type, sql: `(${pickRow(name, site.relation, by, [wanted], site.filter)}).f0` };
  },
});

export const aggregates: Readonly<Record<string, AggregateSpec>> = {
  count: {
    params: [0, 1],
    sql: (site) => ({
      type: "long",
      sql:
        site.values.length === 0
          ? `count(*)${site.filter()}`
          : `count(${cast(firstOf(site), "string")})${site.filter()}`,
    }),
  },
  dcount: {
    params: [1, 2],
    sql: (site) => {
      const value = firstOf(site);
      const distinct = cast(value, value.type === "dynamic" ? "string" : value.type);
      return { type: "long", sql: `count(DISTINCT ${distinct})${site.filter()}` };
    },
  },
  sum: {
    params: [1, 1],
    sql: (site) => {
      const { sql, type } = castSummable(site);
      return {
        type,
        // Beyond 64 bits the sum stays at the largest number, so that comparisons still see a large one.
        sql:
          type === "real"
            ? `coalesce(sum(${sql})${site.filter()}, 0)`
            : `CAST(greatest(least(coalesce(sum(${sql})${site.filter()}, 0), ${maxLong}), -${maxLong} - 1) AS BIGINT)`,
      };
    },
  },
  avg: statistic("avg"),
  stdev: statistic("stddev_samp"),
  variance: statistic("var_samp"),
  min: extremeAggregate("min"),
  max: extremeAggregate("max"),
  rate: {
    params: [0, 1],
    sql: (site) => {
      const total =
        site.values.length === 0
          ? `count(*)${site.filter()}`
          : `coalesce(sum(${cast(firstOf(site), "real")})${site.filter()}, 0)`;
      const micros = site.binMicros ?? windowMicros(effectiveWindow(site.context.environment)) ?? 1_000_000n;
      return { type: "real", sql: `(CAST(${total} AS DOUBLE) / ${Number(micros) / 1e6})` };
    },
  },
  argmin: pickAggregate("arg_min"),
  argmax: pickAggregate("arg_max"),
  percentile,
  percentiles,
  percentiles_array: percentiles,
  topk,
  histogram,
  presence,
  make_list: makeList,
  make_set: makeSet,
};

/** Finds an aggregation by name, and whether its last argument is a condition. */
function findAggregate(name: string): { readonly spec: AggregateSpec; readonly conditional: boolean } | undefined {
  const plain = Object.hasOwn(aggregates, name) ? aggregates[name] : undefined;
  if (plain) return { spec: plain, conditional: false };
  const base = name.replace(/_?if$/, "");
  const spec = base !== name && Object.hasOwn(aggregates, base) ? aggregates[base] : undefined;
  return spec && { spec, conditional: true };
}

/** The name of an aggregation without a final `if`, which adds a condition. */
export function plainName(name: string): string {
  const found = findAggregate(name);
  return found?.conditional ? name.replace(/_?if$/, "") : name;
}

export const isAggregate = (name: string): boolean =>
  name === "arg_max" || name === "arg_min" || findAggregate(name) !== undefined;

/** SQL of a call of an aggregation. */
export function planAggregate(context: Context, scope: SummaryScope, { name, args, at }: Call, plan: PlanInner): Value {
  const found = findAggregate(name);
  if (!found) return context.fail("semantic", `${name}() must stand alone in summarize, not inside an expression`, at);
  const relation = scope.relation;
  if (!relation) return context.fail("semantic", `${name}() is an aggregation: it belongs in summarize`, at);
  const inner: Scope = { ...scope, aggregates: false };
  const expressions = [...expandStar(scope, { kind: "call", name: plainName(name), args, at })];
  const condition = found.conditional ? expressions.pop() : undefined;
  const given = expressions.filter(({ kind }) => kind !== "star");
  const [least, most] = found.spec.params;
  if (given.length < least || given.length > most || (found.conditional && !condition)) {
    const extra = found.conditional ? " and a condition" : "";
    context.fail(
      "semantic",
      `${name}() takes ${least === most ? least : `${least} to ${most}`} arguments${extra}, found ${args.length}`,
      at,
    );
  }
  const predicate = condition && cast(plan(inner, condition), "bool");
  return found.spec.sql({
    context,
    at,
    name,
    values: given
      .map((value) => plan(inner, value))
      .map((value) => ({ ...value, sql: comparable(value), loose: false })),
    expressions: given,
    filter: (further) => {
      const all = [predicate, further].filter((sql) => sql !== undefined);
      return all.length === 0 ? "" : ` FILTER (WHERE ${all.join(" AND ")})`;
    },
    relation,
    binMicros: scope.binMicros,
  });
}

/** Describes a summary column that is an aggregation. */
export function aggregationRole(node: Expression): Role {
  if (node.kind !== "call" || !isAggregate(node.name)) return aggregationOf();
  const values = node.args.map(({ value }) => value);
  const fields = values.flatMap((value) => (value.kind === "name" ? [value.name] : []));
  const args = values.flatMap((value) =>
    value.kind !== "literal" ? [] : [isNumeric(value.type) ? Number(value.value) : value.value],
  );
  return aggregationOf(node.name, fields, args);
}
