import type { ScalarType } from "./ast";

/** A piece of SQL and what the language takes its value for. */
export interface Value {
  readonly sql: string;
  readonly type: ScalarType;
  /** The SQL may be NULL where it stands for false: a comparison with a null that nobody has wrapped yet. */
  readonly loose?: boolean;
  /** A real that is known to be a number: it came from events or from the query. */
  readonly isNumber?: boolean;
  /** The constant that the query states: whole numbers and spans (in nanoseconds) as bigint, texts as string. */
  readonly constant?: bigint | string;
  /** SQL of a loose value that tells null from false. */
  readonly exact?: string;
  /** The source of the value, and the path in it: a longer path starts there again. */
  readonly inside?: { readonly root: string; readonly pointer: string };
}

export const nullValue: Value = { sql: "NULL", type: "null" };

/** How a type is stored. Spans are whole nanoseconds; dynamic values are JSON text, never the JSON null. */
export const sqlTypes: Readonly<Record<ScalarType, string>> = {
  string: "VARCHAR",
  long: "BIGINT",
  real: "DOUBLE",
  bool: "BOOLEAN",
  datetime: "TIMESTAMP",
  timespan: "BIGINT",
  dynamic: "JSON",
  null: "VARCHAR",
};

/** The type's name in a result's field metadata. */
export const wireTypes: Readonly<Record<ScalarType, string>> = {
  string: "string",
  long: "integer",
  real: "float",
  bool: "boolean",
  datetime: "datetime",
  timespan: "timespan",
  dynamic: "unknown",
  null: "unknown",
};

/** The names under which a query may write a type. */
export const typeNames: ReadonlyMap<string, ScalarType> = new Map<string, ScalarType>([
  ["string", "string"],
  ["long", "long"],
  ["int", "long"],
  ["real", "real"],
  ["double", "real"],
  ["bool", "bool"],
  ["boolean", "bool"],
  ["datetime", "datetime"],
  ["date", "datetime"],
  ["timespan", "timespan"],
  ["time", "timespan"],
  ["dynamic", "dynamic"],
]);

export const isNumeric = (type: ScalarType): boolean => type === "long" || type === "real";

/** The type that can hold values of both. */
export function unify(a: ScalarType, b: ScalarType): ScalarType {
  if (a === b || b === "null") return a;
  if (a === "null") return b;
  return isNumeric(a) && isNumeric(b) ? "real" : "dynamic";
}

/** SQL that turns a value into another type; what cannot be turned is null. */
export function cast(value: Value, to: ScalarType): string {
  if (value.type === to) return strict(value);
  if (value.type === "null") return `CAST(NULL AS ${sqlTypes[to]})`;
  return casts[to](strict(value), value.type);
}

/** A boolean that is false where the comparison behind it met a null. */
export const strict = (value: Value): string =>
  value.loose ? (value.exact ?? `coalesce(${value.sql}, false)`) : value.sql;

/** SQL of a value for a column: a literal null has no type of its own in SQL. */
export const typedSql = (value: Value): string =>
  value.type === "null" ? `CAST(NULL AS ${sqlTypes.null})` : strict(value);

/** SQL of a value as it is compared, grouped and aggregated: what is not a number counts as null, as which it shows. */
export const comparable = (value: Value): string =>
  value.type === "real" && !value.isNumber ? `nullif(${value.sql}, 'nan'::DOUBLE)` : strict(value);

const nanos = (sql: string) => `(epoch_us(${sql}) * 1000)`;

const casts: Readonly<Record<ScalarType, (sql: string, from: ScalarType) => string>> = {
  string(sql, from) {
    if (from === "real") return `apl_real_text(${sql})`;
    if (from === "datetime") return `apl_iso(${sql})`;
    if (from === "timespan") return `apl_span_text(${sql})`;
    return from === "dynamic" ? `apl_text(${sql})` : `CAST(${sql} AS VARCHAR)`;
  },
  long(sql, from) {
    if (from === "real") return `TRY_CAST(trunc(${sql}) AS BIGINT)`;
    if (from === "datetime") return nanos(sql);
    if (from === "string") return `apl_long(${sql})`;
    if (from === "dynamic") return `TRY_CAST(trunc(apl_real(apl_text(${sql}))) AS BIGINT)`;
    return `CAST(${sql} AS BIGINT)`;
  },
  real(sql, from) {
    if (from === "datetime") return `CAST(${nanos(sql)} AS DOUBLE)`;
    if (from === "string") return `apl_real(${sql})`;
    return from === "dynamic" ? `apl_real(apl_text(${sql}))` : `CAST(${sql} AS DOUBLE)`;
  },
  bool(sql, from) {
    if (from === "string") return `apl_bool(${sql})`;
    if (from === "dynamic") return `apl_bool(apl_text(${sql}))`;
    return from === "datetime" ? `(epoch_us(${sql}) <> 0)` : `(${sql} <> 0)`;
  },
  datetime(sql, from) {
    if (from === "string") return `apl_time(${sql})`;
    if (from === "dynamic") return `apl_time(apl_text(${sql}))`;
    return from === "bool" ? "CAST(NULL AS TIMESTAMP)" : `make_timestamp(CAST(${sql} AS BIGINT) // 1000)`;
  },
  timespan(sql, from) {
    if (from === "string") return `apl_span(${sql})`;
    if (from === "dynamic") return `apl_span(apl_text(${sql}))`;
    return from === "datetime" ? "CAST(NULL AS BIGINT)" : `CAST(${sql} AS BIGINT)`;
  },
  dynamic(sql, from) {
    const text = from === "datetime" ? `apl_iso(${sql})` : from === "timespan" ? `apl_span_text(${sql})` : sql;
    return `CAST(to_json(${from === "real" ? `apl_finite(${text})` : text}) AS JSON)`;
  },
  null: () => "NULL",
};
