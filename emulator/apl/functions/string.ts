import { cast, isNumeric } from "../types";
import { type CallSite, type Functions, fn, joinTexts, nativeFunction } from "./define";

const orEmpty = (sql: string) => `coalesce(${sql}, '')`;

/** A text is repeated 1024 times at most. */
const repeats = (times: string) => `least(${times}, 1024)`;

/** `$1` of a replacement is DuckDB's `\1`. */
const rewrite = (sql: string) => `regexp_replace(replace(${sql}, '\\', '\\\\'), '\\$([0-9])', '\\\\\\1', 'g')`;

const replaceRegex = fn(
  "string, string, string",
  "string",
  ([regex, by, text]) => `regexp_replace(${text}, ${regex}, ${rewrite(by ?? "''")}, 'g')`,
);

/** The groups that a call selects: the listed ones, or all of its pattern, or the whole match. */
function wantedGroups({ expressions, context, at }: CallSite): readonly number[] {
  const [pattern, groups] = expressions;
  if (expressions.length === 3) {
    const list =
      groups?.kind === "literal" && groups.type === "dynamic" && Array.isArray(groups.value) ? groups.value : [];
    if (list.length > 0 && list.every((group) => Number.isInteger(group) && group >= 0)) return list;
    context.fail("semantic", "extract_all() takes its groups as a list of numbers, such as dynamic([1, 2])", at);
  }
  const text = pattern?.kind === "literal" ? String(pattern.value).replaceAll(/\\./g, "") : "";
  const count = [...text.matchAll(/\((?!\?)/g)].length;
  return count === 0 ? [0] : Array.from({ length: count }, (_, i) => i + 1);
}

const trimFunction = (start: boolean, end: boolean) =>
  fn("string, string", "string", ([regex, text]) => {
    const front = start ? `regexp_replace(${text}, '^(?:' || ${regex} || ')+', '')` : text;
    return end ? `regexp_replace(${front}, '(?:' || ${regex} || ')+$', '')` : String(front);
  });

export const stringFunctions: Functions = {
  strlen: nativeFunction("string", "long", "length"),
  string_size: nativeFunction("string", "long", "strlen"),
  tolower: nativeFunction("string", "string", "lower"),
  toupper: nativeFunction("string", "string", "upper"),
  totitle: fn(
    "string",
    "string",
    ([s]) =>
      `list_reduce(list_transform(string_split(${s}, ' '), lambda w: upper(w[1]) || lower(w[2:])), lambda a, b: a || ' ' || b)`,
  ),
  reverse: nativeFunction("string", "string", "reverse"),
  strcat: fn("...string", "string", (args) => `(${args.map(orEmpty).join(" || ")})`),
  strcat_delim: fn(
    "string, ...string",
    "string",
    ([delimiter, ...args]) => `concat_ws(${delimiter}, ${args.map(orEmpty).join(", ")})`,
  ),
  strcmp: fn(
    "string, string",
    "long",
    ([a, b]) => `CAST(CASE WHEN ${a} < ${b} THEN -1 WHEN ${a} > ${b} THEN 1 ELSE 0 END AS BIGINT)`,
  ),
  strrep: fn("string, long?, string?", "string", ([s, times = "1", delimiter], { values }) =>
    delimiter === undefined
      ? `repeat(${s}, ${repeats(times)})`
      : joinTexts(`list_transform(range(${repeats(times)}), lambda i: ${s})`, delimiter, values[2]),
  ),
  substring: fn("string, long, long?", "string", ([s, start, length]) =>
    length === undefined
      ? `substring(${s}, greatest(${start}, 0) + 1)`
      : `substring(${s}, greatest(${start}, 0) + 1, greatest(${length}, 0))`,
  ),
  countof: fn(
    "string, string",
    "long",
    ([sought, s]) =>
      `CAST((length(${s}) - length(replace(${s}, ${sought}, ''))) // nullif(length(${sought}), 0) AS BIGINT)`,
  ),
  countof_regex: fn("string, string", "long", ([regex, s]) => `len(regexp_extract_all(${s}, ${regex}))`),
  replace: replaceRegex,
  replace_regex: replaceRegex,
  replace_string: fn("string, string, string", "string", ([sought, by, text]) => `replace(${text}, ${sought}, ${by})`),
  split: fn("string, string", "dynamic", ([s, delimiter]) => `to_json(string_split(${s}, ${delimiter}))`),
  trim: fn("string, string", "string", ([cut, s]) => `trim(${s}, ${cut})`),
  trim_start: fn("string, string", "string", ([cut, s]) => `ltrim(${s}, ${cut})`),
  trim_end: fn("string, string", "string", ([cut, s]) => `rtrim(${s}, ${cut})`),
  trim_space: fn("string", "string", ([s]) => `regexp_replace(${s}, '^\\s+|\\s+$', '', 'g')`),
  trim_regex: trimFunction(true, true),
  trim_start_regex: trimFunction(true, false),
  trim_end_regex: trimFunction(false, true),
  extract: fn("string, long, string", "string", ([regex, group, text], { values, context, expressions, at }) => {
    const index = expressions[1];
    if (index?.kind !== "literal" || values[1]?.type !== "long")
      context.fail("unsupported", "extract() takes its group as a number", at);
    return `CASE WHEN regexp_matches(${text}, ${regex}) THEN regexp_extract(${text}, ${regex}, CAST(${group} AS INTEGER)) END`;
  }),
  // extract_all(regex, text), or with the groups between them: dynamic([1, 2]).
  extract_all: fn("string, any, any?", "dynamic", (_, site) => {
    const [regex, text] = site.values.length === 3 ? [site.values[0], site.values[2]] : site.values;
    const [source, by] = [text, regex].map((value) => (value ? cast(value, "string") : "NULL"));
    const groups = wantedGroups(site).map((group) => `regexp_extract_all(${source}, ${by}, ${group})`);
    if (groups.length === 1) return `to_json(${groups[0]})`;
    const tuple = groups.map((_, i) => `g[${i + 1}][i]`).join(", ");
    return `to_json(list_transform([[${groups.join(", ")}]], lambda g: list_transform(range(1, len(g[1]) + 1), lambda i: [${tuple}]))[1])`;
  }),
  // A text that is not JSON stays a text.
  parse_json: fn("any", "dynamic", (_, { values: [value] }) =>
    value === undefined || isNumeric(value.type) || value.type === "bool"
      ? value
        ? cast(value, "dynamic")
        : "NULL"
      : `apl_parse_json(${cast(value, "string")})`,
  ),
  regex_quote: nativeFunction("string", "string", "regexp_escape"),
  indexof_regex: fn(
    "string, string, long?, long?, long?",
    "long",
    ([s, regex, start = "0", occurrence = "1", length = "-1"]) => {
      const part = `substring(${s}, ${start} + 1, CASE WHEN ${length} < 0 THEN 2147483647 ELSE ${length} END)`;
      // The texts before each match, and before its end: their lengths give the start of the n-th.
      const pieces = (group: number) => `regexp_extract_all(${part}, '(?s)(.*?)(?:' || ${regex} || ')', ${group})`;
      const before = `coalesce(list_sum(list_transform((${pieces(0)})[1:${occurrence} - 1], lambda e: length(e))), 0)`;
      return `CASE WHEN ${start} < 0 OR ${occurrence} < 1 OR ${length} < -1 THEN NULL
      ELSE CAST(coalesce(${before} + length((${pieces(1)})[${occurrence}]) + ${start}, -1) AS BIGINT) END`;
    },
  ),
  quote: fn("string", "string", ([s]) => `CAST(to_json(${s}) AS VARCHAR)`),
  url_encode: nativeFunction("string", "string", "url_encode"),
  url_decode: nativeFunction("string", "string", "url_decode"),
  base64_encode_tostring: fn("string", "string", ([s]) => `to_base64(encode(${s}))`),
  base64_decode_tostring: fn("string", "string", ([s]) => `TRY(decode(from_base64(${s})))`),
  hash_md5: nativeFunction("string", "string", "md5"),
  hash_sha1: nativeFunction("string", "string", "sha1"),
  hash_sha256: nativeFunction("string", "string", "sha256"),
  isascii: fn("string", "bool", ([s]) => `regexp_full_match(${s}, '[\\x00-\\x7f]*')`),
  isempty: fn("string", "bool", ([s]) => `(${orEmpty(s ?? "NULL")} = '')`),
  isnotempty: fn("string", "bool", ([s]) => `(${orEmpty(s ?? "NULL")} <> '')`),
};
