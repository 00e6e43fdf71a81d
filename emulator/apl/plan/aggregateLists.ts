import { maxFields } from "../load/source";
import { ownName } from "../nodes";
import { quote } from "../sql";
import { cast, castForJson, dropInfinite, isNumeric, sqlTypes, type Value } from "../types";
import { type AggregateSite, type AggregateSpec, firstOf } from "./aggregateSite";
import { fullOrder, orderBy } from "./relation";

/** Aggregations that return a list or have a constant argument. */

function readConstant({ context, expressions, name, at }: AggregateSite, index: number, what: string): number {
  const node = expressions[index];
  const signed =
    node?.kind === "literal" && (node.type === "long" || node.type === "real") ? Number(node.value) : Number.NaN;
  return Number.isNaN(signed) ? context.fail("semantic", `${name}() takes ${what} as a number`, at) : signed;
}

/** Types with an order that a percentile can use. */
function castMeasurable(site: AggregateSite): Value {
  const given = firstOf(site);
  const keep = isNumeric(given.type) || given.type === "datetime" || given.type === "timespan";
  return keep ? given : { type: "real", sql: cast(given, "real") };
}

const readShare = (site: AggregateSite, index: number) => shareOf(site, readConstant(site, index, "percentiles"));

function shareOf(site: AggregateSite, percent: number): number {
  if (percent >= 0 && percent <= 100) return percent / 100;
  return site.context.fail("semantic", "a percentile is a number between 0 and 100", site.at);
}

/** The value below which the given share of the values lies. It is always an existing value, never an interpolated one. */
export const percentile: AggregateSpec = {
  params: [2, 2],
  sql: (site) => {
    const { sql, type } = castMeasurable(site);
    return { type, sql: `quantile_disc(${sql}, ${readShare(site, 1)})${site.filter()}` };
  },
};

export const percentiles: AggregateSpec = {
  params: [2, 100],
  sql: (site) => {
    const given = castMeasurable(site);
    const shares = site.expressions.slice(1).flatMap((node, i) => {
      const list =
        node.kind === "literal" && node.type === "dynamic" && Array.isArray(node.value) ? node.value : undefined;
      return list?.map((percent) => shareOf(site, Number(percent))) ?? [readShare(site, i + 1)];
    });
    const list = `quantile_disc(${given.sql}, [${shares.join(", ")}])${site.filter()}`;
    const element = castForJson({ sql: "e", type: given.type });
    return { type: "dynamic", sql: `CAST(to_json(list_transform(${list}, lambda e: ${element})) AS JSON)` };
  },
};

/** The k most frequent values, each with its count. Equally frequent values are in ascending order. */
export const topk: AggregateSpec = {
  params: [2, 2],
  sql: (site) => {
    const given = firstOf(site);
    const k = readConstant(site, 1, "how many values");
    const text = given.type === "dynamic" ? cast(given, "string") : dropInfinite(given);
    const all = `histogram(${text})${site.filter(`${text} IS NOT NULL`)}`;
    const counts = `list_transform(map_entries(${all}), lambda e: {'n': -CAST(e.value AS BIGINT), 'k': e.key})`;
    const key = castForJson({ sql: "e.k", type: given.type === "dynamic" ? "string" : given.type });
    const most = `list_slice(list_sort(${counts}), 1, ${Math.max(0, Math.trunc(k))})`;
    const rows = `list_transform(${most}, lambda e: {'key': ${key}, 'count': -e.n, 'error': 0})`;
    return { type: "dynamic", sql: `CAST(coalesce(to_json(${rows}), '[]') AS JSON)` };
  },
};

/** Intervals of equal width between the least and the greatest value, each with its count; the last interval includes its end. */
export const histogram: AggregateSpec = {
  params: [2, 2],
  sql: (site) => {
    const x = `apl_finite(${cast(castMeasurable(site), "real")})`;
    const bins = Math.trunc(readConstant(site, 1, "the number of intervals"));
    if (bins < 1 || bins > 10_000) site.context.fail("semantic", "histogram() makes 1 to 10000 intervals", site.at);
    const [low, high] = [`min(${x})${site.filter()}`, `max(${x})${site.filter()}`];
    const width = `((${high}) - (${low})) / ${bins}`;
    const all = `list(${x})${site.filter(`${x} IS NOT NULL`)}`;
    const places = `list_transform(${all}, lambda e:
      CASE WHEN ${width} > 0 THEN least(CAST(floor((e - (${low})) / (${width})) AS INTEGER), ${bins - 1}) ELSE 0 END)`;
    const counts = `list_aggregate(${places}, 'histogram')`;
    // The counts are bound first: inside the inner function they would be computed for each interval.
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
    const given = firstOf(site);
    const element = castForJson(given);
    const { order, identity } = site.relation;
    const sorted = order.length > 0 || !identity ? orderBy(fullOrder(site.relation)) : ` ORDER BY ${identity.sequence}`;
    const list = `list(${element}${sorted})${site.filter(`${element} IS NOT NULL`)}`;
    return { type: "dynamic", sql: limitList(site, list, undefined) };
  },
};

/** For each field, or with `*` for every field, the number of rows in which it is not null. */
export const presence: AggregateSpec = {
  params: [1, maxFields],
  sql: (site) => {
    const counts = site.expressions.map((field, i) => {
      const counted = site.values[i];
      const name = ownName(field) ?? `Column${i + 1}`;
      return `${quote(name)}, count(${counted ? cast(counted, "string") : "NULL"})${site.filter()}`;
    });
    return { type: "dynamic", sql: `CAST(json_object(${counts.join(", ")}) AS JSON)` };
  },
};

const defaultSetSize = 128;

export const makeSet: AggregateSpec = {
  params: [1, 2],
  sql: (site) => {
    const given = firstOf(site);
    const element = given.type === "null" ? `CAST(NULL AS ${sqlTypes.string})` : castForJson(given);
    const list = `list_sort(list(DISTINCT ${element})${site.filter(`${element} IS NOT NULL`)})`;
    return { type: "dynamic", sql: limitList(site, list, defaultSetSize) };
  },
};

function limitList(site: AggregateSite, list: string, defaultSize: number | undefined): string {
  const size = site.values.length > 1 ? readConstant(site, 1, "the size of the list") : defaultSize;
  const cut = size === undefined ? list : `list_slice(${list}, 1, ${Math.max(0, Math.trunc(size))})`;
  return `CAST(coalesce(to_json(${cut}), '[]') AS JSON)`;
}
