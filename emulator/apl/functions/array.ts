import { quote } from "../sql";
import { cast, castForJson, strictCondition } from "../types";
import { type Functions, fn, joinTexts } from "./define";
import { rangeList } from "./range";

/** The elements of a dynamic list; null for any other value. */
const elements = (sql: string) => `apl_list(${sql})`;

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

const range = fn("any, any, any?", "dynamic", (_, { values: [from, to, by], context, at }) => {
  const list = from && to && rangeList(from, to, by);
  if (!list) return context.fail("semantic", "range() takes numbers, spans, or times with a span", at);
  return toJson(`list_transform(${list.sql}, lambda e: ${castForJson({ type: list.type, sql: "e" })})`);
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
    return joinTexts(`list_transform(${elements(a)}, lambda e: apl_text(e))`, delimiter, values[1]);
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
