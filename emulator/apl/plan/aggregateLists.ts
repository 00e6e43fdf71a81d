import { cast, isNumeric, sqlTypes, type Value } from "../types";
import type { AggregateSite, AggregateSpec } from "./aggregateSite";

/** Aggregations whose value is a list, or that take a constant. */

/** A value as it may stand in JSON: times and spans as text, what is no finite number as null. */
export function jsonable(value: Value): string {
  return value.type === "datetime" || value.type === "timespan" ? cast(value, "string") : finite(value);
}

/** A value without what JSON cannot say; as null it shows outside of lists too. */
const finite = (value: Value): string => (value.type === "real" ? `apl_finite(${value.sql})` : cast(value, value.type));

function constant({ context, expressions, name, at }: AggregateSite, index: number, what: string): number {
  const node = expressions[index];
  const signed =
    node?.kind === "literal" && (node.type === "long" || node.type === "real") ? Number(node.value) : Number.NaN;
  return Number.isNaN(signed) ? context.fail("semantic", `${name}() takes ${what} as a number`, at) : signed;
}

const value = ({ values }: AggregateSite): Value => values[0] ?? { sql: "NULL", type: "null" };

/** Types with an order that a percentile can use. */
function measurable(site: AggregateSite): Value {
  const given = value(site);
  const keep = isNumeric(given.type) || given.type === "datetime" || given.type === "timespan";
  return keep ? given : { type: "real", sql: cast(given, "real") };
}

const share = (site: AggregateSite, index: number) => checkedShare(site, constant(site, index, "percentiles"));

function checkedShare(site: AggregateSite, percent: number): number {
  if (percent >= 0 && percent <= 100) return percent / 100;
  return site.context.fail("semantic", "a percentile is a number between 0 and 100", site.at);
}

/** The value below which the share of values lies: one that occurs, never one between two. */
export const percentile: AggregateSpec = {
  params: [2, 2],
  sql: (site) => {
    const { sql, type } = measurable(site);
    return { type, sql: `quantile_disc(${sql}, ${share(site, 1)})${site.filter()}` };
  },
};

export const percentiles: AggregateSpec = {
  params: [2, 100],
  sql: (site) => {
    const given = measurable(site);
    const shares = site.expressions.slice(1).flatMap((node, i) => {
      const list =
        node.kind === "literal" && node.type === "dynamic" && Array.isArray(node.value) ? node.value : undefined;
      return list?.map((percent) => checkedShare(site, Number(percent))) ?? [share(site, i + 1)];
    });
    const list = `quantile_disc(${given.sql}, [${shares.join(", ")}])${site.filter()}`;
    const element = jsonable({ sql: "e", type: given.type });
    return { type: "dynamic", sql: `CAST(to_json(list_transform(${list}, lambda e: ${element})) AS JSON)` };
  },
};

/** The k most frequent values, each with its count; of two as frequent the lesser comes first. */
export const topk: AggregateSpec = {
  params: [2, 2],
  sql: (site) => {
    const given = value(site);
    const k = constant(site, 1, "how many values");
    const text = given.type === "dynamic" ? cast(given, "string") : finite(given);
    const all = `histogram(${text})${site.filter(`${text} IS NOT NULL`)}`;
    const counts = `list_transform(map_entries(${all}), lambda e: {'n': -CAST(e.value AS BIGINT), 'k': e.key})`;
    const key = jsonable({ sql: "e.k", type: given.type === "dynamic" ? "string" : given.type });
    const most = `list_slice(list_sort(${counts}), 1, ${Math.max(0, Math.trunc(k))})`;
    const rows = `list_transform(${most}, lambda e: {'key': ${key}, 'count': -e.n, 'error': 0})`;
    return { type: "dynamic", sql: `CAST(coalesce(to_json(${rows}), '[]') AS JSON)` };
  },
};

/** As many intervals of one width between the least and the greatest value, each with its count; the last is closed. */
export const histogram: AggregateSpec = {
  params: [2, 2],
  sql: (site) => {
    const x = `apl_finite(${cast(measurable(site), "real")})`;
    const bins = Math.trunc(constant(site, 1, "the number of intervals"));
    if (bins < 1 || bins > 10_000) site.context.fail("semantic", "histogram() makes 1 to 10000 intervals", site.at);
    const [low, high] = [`min(${x})${site.filter()}`, `max(${x})${site.filter()}`];
    const width = `((${high}) - (${low})) / ${bins}`;
    const all = `list(${x})${site.filter(`${x} IS NOT NULL`)}`;
    const places = `list_transform(${all}, lambda e:
      CASE WHEN ${width} > 0 THEN least(CAST(floor((e - (${low})) / (${width})) AS INTEGER), ${bins - 1}) ELSE 0 END)`;
    const counts = `list_aggregate(${places}, 'histogram')`;
    // The counts get a name first: inside the inner function they would be counted once an interval.
    const rows = `list_transform([${counts}], lambda m: list_transform(range(CASE WHEN ${width} > 0 THEN ${bins} ELSE 1 END), lambda i:
      {'from': (${low}) + i * ${width}, 'to': (${low}) + (i + 1) * ${width}, 'count': coalesce(m[CAST(i AS INTEGER)], 0)}))[1]`;
    return {
      type: "dynamic",
      sql: `CASE WHEN ${low} IS NULL THEN CAST('[]' AS JSON) ELSE CAST(to_json(${rows}) AS JSON) END`,
    };
  },
};

export const makeList: AggregateSpec = {
  params: [1, 2],
  sql: (site) => {
    const given = value(site);
    const element = jsonable(given);
    const list = `list(${element}${site.order})${site.filter(`${element} IS NOT NULL`)}`;
    return { type: "dynamic", sql: listed(site, list, undefined) };
  },
};

const defaultSetSize = 128;

export const makeSet: AggregateSpec = {
  params: [1, 2],
  sql: (site) => {
    const given = value(site);
    const element = given.type === "null" ? `CAST(NULL AS ${sqlTypes.string})` : jsonable(given);
    const list = `list_sort(list(DISTINCT ${element})${site.filter(`${element} IS NOT NULL`)})`;
    return { type: "dynamic", sql: listed(site, list, defaultSetSize) };
  },
};

function listed(site: AggregateSite, list: string, defaultSize: number | undefined): string {
  const size = site.values.length > 1 ? constant(site, 1, "the size of the list") : defaultSize;
  const cut = size === undefined ? list : `list_slice(${list}, 1, ${Math.max(0, Math.trunc(size))})`;
  return `CAST(coalesce(to_json(${cut}), '[]') AS JSON)`;
}
