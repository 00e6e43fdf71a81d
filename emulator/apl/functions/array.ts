import { quote } from "../sql";
import { cast, strictCondition } from "../types";
import { type Functions, fn } from "./define";

/** A range has this many elements at most. */
const maxElements = 1_048_576;

/** The elements of a dynamic list; null for any other value. */
const elements = (sql: string) => `apl_list(${sql})`;

/** A placeholder for a delimiter; it does not occur in real texts. */
const standIn = "\u001f\ue000\u001f";

/** The elements as text, by which they are compared. */
const texts = (sql: string) => `CAST(apl_list(${sql}) AS VARCHAR[])`;

const toJson = (list: string) => `CAST(to_json(${list}) AS JSON)`;

const sortFunction = (direction: string) =>
  fn("dynamic", "dynamic", ([a = "NULL"]) =>
    toJson(`list_transform(list_sort(list_transform(coalesce(${elements(a)}, []), lambda e:
      {'n': apl_real(CASE WHEN json_type(e) <> 'VARCHAR' THEN apl_text(e) END),
       't': apl_text(e), 'e': e}), ${quote(direction)}, 'NULLS LAST'), lambda s: s.e)`),
  );

const pack = fn(
  "...any",
  "dynamic",
  (_, { values }) =>
    `CAST(json_array(${values.map((v) => (v.type === "null" ? "NULL" : cast(v, "dynamic"))).join(", ")}) AS JSON)`,
);

const packBag = fn("...any", "dynamic", (_, { values, context, at }) => {
  if (values.length % 2 !== 0) context.fail("semantic", "expected pairs of a key and a value", at);
  return `CAST(json_object(${values.map((v, i) => (i % 2 === 0 ? `coalesce(${cast(v, "string")}, '')` : cast(v, "dynamic"))).join(", ")}) AS JSON)`;
});

/** Negative positions count from the end. */
const position = (index: string, length: string) =>
  `CASE WHEN ${index} < 0 THEN greatest(${length} + ${index}, 0) ELSE ${index} END`;

/** For each type of a range: conversions to and from numbers, and the default step. */
const rangeKinds = {
  long: { count: (sql: string) => sql, value: (sql: string) => `CAST(${sql} AS BIGINT)`, step: "1" },
  real: {
    count: (sql: string) => sql,
    value: (sql: string) => `apl_finite(CAST(${sql} AS DOUBLE))`,
    step: "1.0::DOUBLE",
  },
  timespan: {
    count: (sql: string) => sql,
    value: (sql: string) => `apl_span_text(CAST(${sql} AS BIGINT))`,
    step: "3600000000000",
  },
  datetime: {
    count: (sql: string) => `epoch_us(${sql}) * 1000::HUGEINT`,
    value: (sql: string) => `apl_iso(make_timestamp(CAST(${sql} // 1000 AS BIGINT)))`,
    step: "3600000000000",
  },
} as const;

/** `range(from, to, step)`. The number of values is checked before any is created. */
const range = fn("any, any, any?", "dynamic", (_, { values: [from, to, by], context, at }) => {
  const isReal = [from, to, by].some((value) => value?.type === "real" || value?.type === "dynamic");
  const type = from?.type === "datetime" || from?.type === "timespan" ? from.type : isReal ? "real" : "long";
  const kind = rangeKinds[type];
  const stepType = type === "datetime" ? "timespan" : type;
  if (!from || !to || (to.type !== type && (type === "datetime" || type === "timespan")))
    return context.fail("semantic", "range() takes a start and an end of one type", at);
  const wide = (sql: string) => (type === "real" ? sql : `CAST(${sql} AS HUGEINT)`);
  const [a, b] = [from, to].map((value) => wide(kind.count(cast(value, type))));
  const step = wide(by ? cast(by, stepType) : kind.step);
  const steps = `CASE WHEN v.b - v.a IS NULL THEN NULL WHEN v.s = 0 OR (v.b - v.a) * sign(v.s) < 0 THEN 0
    ELSE CAST(least(floor((v.b - v.a) / v.s) + 1, ${maxElements}) AS BIGINT) END`;
  return toJson(`list_transform([{'a': ${a}, 'b': ${b}, 's': ${step}}], lambda v:
    list_transform(range(${steps}), lambda i: ${kind.value("(v.a + i * v.s)")}))[1]`);
});

export const arrayFunctions: Functions = {
  array_length: fn("dynamic", "long", ([a]) => `len(apl_list(${a}))`),
  len: fn("any", "long", (_, { values: [value] }) =>
    value?.type === "dynamic"
      ? `coalesce(len(apl_list(${value.sql})), length(apl_text(${value.sql})))`
      : `length(${value ? cast(value, "string") : "NULL"})`,
  ),
  array_concat: fn("...dynamic", "dynamic", (args) => toJson(`list_concat(${args.map(elements).join(", ")})`)),
  array_reverse: fn("dynamic", "dynamic", ([a = "NULL"]) => toJson(`list_reverse(${elements(a)})`)),
  array_sum: fn(
    "dynamic",
    "real",
    ([a = "NULL"]) => `list_sum(list_transform(${elements(a)}, lambda e: apl_real(apl_text(e))))`,
  ),
  array_sort_asc: sortFunction("ASC"),
  array_sort_desc: sortFunction("DESC"),
  array_slice: fn("dynamic, long, long", "dynamic", ([a = "NULL", start = "0", end = "0"]) => {
    const list = elements(a);
    return toJson(`list_slice(${list}, ${position(start, `len(${list})`)} + 1, ${position(end, `len(${list})`)})`);
  }),
  pack_array: pack,
  bag_pack: packBag,
  pack: packBag,
  pack_dictionary: packBag,
  bag_keys: fn(
    "dynamic",
    "dynamic",
    ([bag]) => `CASE WHEN json_type(${bag}) = 'OBJECT' THEN ${toJson(`json_keys(${bag})`)} END`,
  ),
  bag_has_key: fn(
    "dynamic, string",
    "bool",
    ([bag, key]) => `coalesce(list_contains(json_keys(${bag}), ${key}), false)`,
  ),
  strcat_array: fn("dynamic, string?", "string", ([a = "NULL", delimiter = "''"], { values }) => {
    const texts = `list_transform(${elements(a)}, lambda e: apl_text(e))`;
    // The database joins by a constant only; its reduction takes another row's delimiter where a list is empty.
    return values[1] === undefined || values[1].constant !== undefined
      ? `array_to_string(${texts}, ${delimiter})`
      : `replace(array_to_string(${texts}, ${quote(standIn)}), ${quote(standIn)}, coalesce(${delimiter}, ''))`;
  }),
  set_has_element: fn(
    "dynamic, any",
    "bool",
    ([a = "NULL"], { values: [, sought] }) =>
      `coalesce(list_contains(${texts(a)}, CAST(${sought ? cast(sought, "dynamic") : "NULL"} AS VARCHAR)), false)`,
  ),
  range,
  // A delimiter before each field, so that no match is empty. Quotes within quotes are doubled.
  parse_csv: fn("string", "dynamic", ([s]) =>
    toJson(`list_transform(regexp_extract_all(',' || ${s}, ',("(?:[^"]|"")*"|[^,]*)', 1), lambda e:
      CASE WHEN e[1] = '"' AND length(e) > 1 THEN replace(e[2:-2], '""', '"') ELSE e END)`),
  ),
  isutf8: fn("any", "bool", (_, { values: [value] }) => `(${value ? strictCondition(value) : "NULL"} IS NOT NULL)`),
};
