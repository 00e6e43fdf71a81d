import type { ScalarType } from "./ast";

/** A piece of SQL and its type in the language. */
export interface Value {
  readonly sql: string;
  readonly type: ScalarType;
  /** Whether the SQL may be NULL instead of false, after a comparison with null. */
  readonly loose?: boolean;
  /** Whether a real is known to be a number (not NaN): it came from events or from the query. */
  readonly isNumber?: boolean;
  /** The constant in the query: whole numbers and spans (in nanoseconds) as bigint, texts as string. */
  readonly constant?: bigint | string;
  /** SQL of the value that distinguishes null from false, if `sql` does not. */
  readonly exact?: string;
  /** The source of the value and the path in it, so that the path can be extended. */
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

/** The names of types in queries. */
export const typeNames: ReadonlyMap<string, ScalarType> = new Map([
  ...(["string", "long", "real", "bool", "datetime", "timespan", "dynamic"] as const).map(
    (name) => [name, name] as const,
  ),
  ...Object.entries({ int: "long", double: "real", boolean: "bool", date: "datetime", time: "timespan" } as const),
]);

export const isNumeric = (type: ScalarType): boolean => type === "long" || type === "real";

/** The type for values of both types. */
export function unify(a: ScalarType, b: ScalarType): ScalarType {
  if (a === b || b === "null") return a;
  if (a === "null") return b;
  if ([a, b].includes("string") && [a, b].includes("timespan")) return "string";
  return isNumeric(a) && isNumeric(b) ? "real" : "dynamic";
}

/** SQL that casts a value to another type; the result is null if that is impossible. */
export function cast(value: Value, to: ScalarType): string {
  if (value.type === to) return strictCondition(value);
  if (value.type === "null") return `CAST(NULL AS ${sqlTypes[to]})`;
  return casts[to](strictCondition(value), value.type);
}

/** SQL of a condition that is false instead of NULL. */
export const strictCondition = (value: Value): string =>
  value.loose ? (value.exact ?? `coalesce(${value.sql}, false)`) : value.sql;

/** SQL of a value for a column: a literal null has no type of its own in SQL. */
export const typedSql = (value: Value): string =>
  value.type === "null" ? `CAST(NULL AS ${sqlTypes.null})` : strictCondition(value);

/** SQL of a value for comparing, grouping and aggregating: NaN counts as null, as in the result. */
export const comparable = (value: Value): string =>
  value.type === "real" && !value.isNumber ? `nullif(${value.sql}, 'nan'::DOUBLE)` : strictCondition(value);

/** Casts a value for JSON: times and spans become text, infinite numbers null. */
export function castForJson(value: Value): string {
  return value.type === "datetime" || value.type === "timespan" ? cast(value, "string") : dropInfinite(value);
}

/** Turns numbers that JSON cannot express into null, as outside lists. */
export const dropInfinite = (value: Value): string =>
  value.type === "real" ? `apl_finite(${value.sql})` : cast(value, value.type);

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
