import { type ComputedFunctions, canonicalJson, compute, isObject, type Json, listOf, textOf } from "./define";

/** Keeps the first of equal elements. */
function removeDuplicates(list: readonly Json[], keep: (key: string) => boolean = () => true): Json[] {
  const seen = new Set<string>();
  return list.filter((item) => {
    const key = canonicalJson(item);
    if (seen.has(key) || !keep(key)) return false;
    seen.add(key);
    return true;
  });
}

/** The elements of a list without duplicates, chosen by whether another list has them. */
const filterBySet = (keep: (isIn: boolean) => boolean) =>
  compute("dynamic, dynamic", "dynamic", (a: Json, b: Json) => {
    const others = new Set(listOf(b).map(canonicalJson));
    return removeDuplicates(listOf(a), (key) => keep(others.has(key)));
  });

/** A negative index counts from the end of the list. */
const placeOf = (index: number, length: number) => (index < 0 ? Math.max(0, length + index) : Math.min(index, length));

function rotate(list: readonly Json[], count: number): Json[] {
  const at = list.length === 0 ? 0 : ((count % list.length) + list.length) % list.length;
  return [...list.slice(at), ...list.slice(0, at)];
}

/** Moves elements to the left and fills the free places. */
function shift(list: readonly Json[], count: number, fill: Json = null): Json[] {
  return list.map((_, i) => (i + count in list ? (list[i + count] ?? null) : fill));
}

/** The place of the n-th occurrence among `length` elements from `start`. */
function indexOf(list: Json, sought: Json, start = 0, length = -1, occurrence = 1): number | undefined {
  if (!Array.isArray(list)) return undefined;
  const from = placeOf(start, list.length);
  const until = length < 0 ? list.length : Math.min(list.length, from + length);
  let left = occurrence;
  for (let i = from; i < until; i += 1) {
    if (textOf(list[i]) === textOf(sought)) left -= 1;
    if (left === 0) return i;
  }
  return -1;
}

/** Steps of a path such as `$[*].a['b']`. */
const pathSteps = (path: string): readonly string[] =>
  [...path.matchAll(/\[\s*(\*|-?\d+|'[^']*'|"[^"]*")\s*\]|\.([\w-]+|\*)/g)].map(([, index, key]) =>
    String(index ?? key).replaceAll(/^['"]|['"]$/g, ""),
  );

const follow = (values: readonly Json[], step: string): Json[] =>
  values.flatMap((value): readonly Json[] => {
    if (step === "*") return Array.isArray(value) ? value : isObject(value) ? Object.values(value) : [];
    if (Array.isArray(value)) return value[placeOf(Number(step), value.length)] ?? [];
    const found = isObject(value) && Object.hasOwn(value, step) ? value[step] : undefined;
    return found === undefined ? [] : [found];
  });

function split(list: readonly Json[], at: Json): Json[][] {
  const places = (Array.isArray(at) ? at : [at]).map((index) => placeOf(Number(index), list.length));
  return [...places, list.length].map((end, i) => list.slice(i === 0 ? 0 : places[i - 1], end));
}

export const listFunctions: ComputedFunctions = {
  set_union: compute("dynamic, dynamic", "dynamic", (a: Json, b: Json) =>
    removeDuplicates([...listOf(a), ...listOf(b)]),
  ),
  set_intersect: filterBySet((isIn) => isIn),
  set_difference: filterBySet((isIn) => !isIn),
  dynamic_to_json: compute("any", "string", (value: Json) =>
    typeof value === "string" ? value : canonicalJson(value),
  ),
  toarray: compute("any", "dynamic", (value: Json) =>
    Array.isArray(value) ? value : isObject(value) ? Object.values(value) : [value],
  ),
  array_index_of: compute("dynamic, any, long?, long?, long?", "long", indexOf),
  array_rotate_left: compute("dynamic, long", "dynamic", (list: Json, n: number) => rotate(listOf(list), n)),
  array_rotate_right: compute("dynamic, long", "dynamic", (list: Json, n: number) => rotate(listOf(list), -n)),
  array_shift_left: compute("dynamic, long?, any?", "dynamic", (list: Json, n = 1, fill?: Json) =>
    shift(listOf(list), n, fill),
  ),
  array_shift_right: compute("dynamic, long?, any?", "dynamic", (list: Json, n = 1, fill?: Json) =>
    shift(listOf(list), -n, fill),
  ),
  array_split: compute("dynamic, any", "dynamic", (list: Json, at: Json) => split(listOf(list), at)),
  array_iff: compute("dynamic, dynamic, dynamic", "dynamic", (conditions: Json, yes: Json, no: Json) =>
    listOf(conditions).map((condition, i) => listOf(condition ? yes : no)[i] ?? null),
  ),
  array_extract: compute("dynamic, string", "dynamic", (list: Json, path: string) =>
    pathSteps(path).reduce(follow, [list] as Json[]),
  ),
  array_select_dict: compute("dynamic, string, any", "dynamic", (list: Json, key: string, value: Json) =>
    listOf(list).find((item) => isObject(item) && canonicalJson(item[key] ?? null) === canonicalJson(value)),
  ),
  bag_zip: compute("dynamic, dynamic", "dynamic", (keys: Json, values: Json) => {
    const others = listOf(values);
    return Object.fromEntries(
      listOf(keys)
        .slice(0, others.length)
        .map((key, i) => [textOf(key), others[i] ?? null]),
    );
  }),
};
