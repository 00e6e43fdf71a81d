import { quote } from "../sql";
import { cast, strict } from "../types";
import { type Functions, fn } from "./define";

/** A range has this many elements at most. */
const maxElements = 1_048_576;

/** The elements of a dynamic value that is a list; null of any other. */
const elements = (sql: string) => `apl_list(${sql})`;

/** The elements as text, by which they are compared. */
const texts = (sql: string) => `CAST(apl_list(${sql}) AS VARCHAR[])`;

const toJson = (list: string) => `CAST(to_json(${list}) AS JSON)`;

const fromTexts = (list: string) => toJson(`CAST(${list} AS JSON[])`);

const sorted = (direction: string) =>
  fn("dynamic", "dynamic", ([a = "NULL"]) =>
    toJson(`list_transform(list_sort(list_transform(${elements(a)}, lambda e:
      {'n': apl_real(CASE WHEN json_type(e) <> 'VARCHAR' THEN apl_text(e) END), 't': apl_text(e), 'e': e}), ${quote(direction)}, 'NULLS LAST'), lambda s: s.e)`),
  );

const pack = fn(
  "...any",
  "dynamic",
  (_, { values }) =>
    `CAST(json_array(${values.map((v) => (v.type === "null" ? "NULL" : cast(v, "dynamic"))).join(", ")}) AS JSON)`,
);

const packBag = fn("...any", "dynamic", (_, { values, context, at }) => {
  if (values.length % 2 !== 0) context.fail("semantic", "expected pairs of a key and a value", at);
  return `CAST(json_object(${values.map((v, i) => (i % 2 === 0 ? cast(v, "string") : cast(v, "dynamic"))).join(", ")}) AS JSON)`;
});

/** Negative positions count from the end. */
const position = (index: string, length: string) =>
  `CASE WHEN ${index} < 0 THEN greatest(${length} + ${index}, 0) ELSE ${index} END`;

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
  array_sort_asc: sorted("ASC"),
  array_sort_desc: sorted("DESC"),
  array_slice: fn("dynamic, long, long", "dynamic", ([a = "NULL", start = "0", end = "0"]) => {
    const list = elements(a);
    return toJson(`list_slice(${list}, ${position(start, `len(${list})`)} + 1, ${position(end, `len(${list})`)})`);
  }),
  array_index_of: fn(
    "dynamic, any",
    "long",
    ([a = "NULL"], { values: [, sought] }) =>
      `(coalesce(list_position(list_transform(${elements(a)}, lambda e: apl_text(e)), ${sought ? cast(sought, "string") : "NULL"}), 0) - 1)`,
  ),
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
  strcat_array: fn(
    "dynamic, string",
    "string",
    ([a = "NULL", delimiter]) => `array_to_string(list_transform(${elements(a)}, lambda e: apl_text(e)), ${delimiter})`,
  ),
  set_has_element: fn(
    "dynamic, any",
    "bool",
    ([a = "NULL"], { values: [, sought] }) =>
      `coalesce(list_contains(${texts(a)}, CAST(${sought ? cast(sought, "dynamic") : "NULL"} AS VARCHAR)), false)`,
  ),
  set_union: fn("dynamic, dynamic", "dynamic", ([a = "NULL", b = "NULL"]) =>
    fromTexts(`list_sort(list_distinct(list_concat(${texts(a)}, ${texts(b)})))`),
  ),
  set_intersect: fn("dynamic, dynamic", "dynamic", ([a = "NULL", b = "NULL"]) =>
    fromTexts(`list_sort(list_intersect(${texts(a)}, ${texts(b)}))`),
  ),
  set_difference: fn("dynamic, dynamic", "dynamic", ([a = "NULL", b = "NULL"]) =>
    fromTexts(`list_sort(list_distinct(list_filter(${texts(a)}, lambda e: NOT list_contains(${texts(b)}, e))))`),
  ),
  range: fn("long, long, long?", "dynamic", ([from, to, step = "1"]) =>
    toJson(`generate_series(${from}, least(${to}, ${from} + ${maxElements} * ${step}), ${step})`),
  ),
  parse_csv: fn("string", "dynamic", ([s]) =>
    toJson(`list_transform(string_split(${s}, ','), lambda e: trim(e, '" '))`),
  ),
  isutf8: fn("any", "bool", (_, { values: [value] }) => `(${value ? strict(value) : "NULL"} IS NOT NULL)`),
};
