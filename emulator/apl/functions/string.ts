import { cast } from "../types";
import { type Functions, fn, native } from "./define";

const present = (sql: string) => `coalesce(${sql}, '')`;

/** A text is repeated 1024 times at most. */
const repeats = (times: string) => `least(${times}, 1024)`;

/** `$1` of a replacement is DuckDB's `\1`. */
const rewrite = (sql: string) => `regexp_replace(replace(${sql}, '\\', '\\\\'), '\\$([0-9])', '\\\\\\1', 'g')`;

const replaceRegex = fn(
  "string, string, string",
  "string",
  ([regex, by, text]) => `regexp_replace(${text}, ${regex}, ${rewrite(by ?? "''")}, 'g')`,
);

const trimmed = (start: boolean, end: boolean) =>
  fn("string, string", "string", ([regex, text]) => {
    const front = start ? `regexp_replace(${text}, '^(?:' || ${regex} || ')+', '')` : text;
    return end ? `regexp_replace(${front}, '(?:' || ${regex} || ')+$', '')` : String(front);
  });

export const stringFunctions: Functions = {
  strlen: native("string", "long", "length"),
  string_size: native("string", "long", "length"),
  tolower: native("string", "string", "lower"),
  toupper: native("string", "string", "upper"),
  totitle: fn(
    "string",
    "string",
    ([s]) =>
      `list_reduce(list_transform(string_split(${s}, ' '), lambda w: upper(w[1]) || lower(w[2:])), lambda a, b: a || ' ' || b)`,
  ),
  reverse: native("string", "string", "reverse"),
  strcat: fn("...string", "string", (args) => `(${args.map(present).join(" || ")})`),
  strcat_delim: fn(
    "string, ...string",
    "string",
    ([delimiter, ...args]) => `concat_ws(${delimiter}, ${args.map(present).join(", ")})`,
  ),
  strcmp: fn(
    "string, string",
    "long",
    ([a, b]) => `CAST(CASE WHEN ${a} < ${b} THEN -1 WHEN ${a} > ${b} THEN 1 ELSE 0 END AS BIGINT)`,
  ),
  strrep: fn("string, long?, string?", "string", ([s, times = "1", delimiter]) =>
    delimiter === undefined
      ? `repeat(${s}, ${repeats(times)})`
      : `array_to_string(list_transform(range(${repeats(times)}), lambda i: ${s}), ${delimiter})`,
  ),
  substring: fn("string, long, long?", "string", ([s, start, length]) =>
    length === undefined
      ? `substring(${s}, greatest(${start}, 0) + 1)`
      : `substring(${s}, greatest(${start}, 0) + 1, greatest(${length}, 0))`,
  ),
  indexof: fn("string, string, long?", "long", ([s, sought, start]) =>
    start === undefined
      ? `(CAST(instr(${s}, ${sought}) AS BIGINT) - 1)`
      : `(CASE WHEN instr(substring(${s}, ${start} + 1), ${sought}) = 0 THEN -1
          ELSE CAST(instr(substring(${s}, ${start} + 1), ${sought}) AS BIGINT) - 1 + ${start} END)`,
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
  trim_regex: trimmed(true, true),
  trim_start_regex: trimmed(true, false),
  trim_end_regex: trimmed(false, true),
  extract: fn("string, long, string", "string", ([regex, group, text], { values, context, expressions, at }) => {
    const index = expressions[1];
    if (index?.kind !== "literal" || values[1]?.type !== "long")
      context.fail("unsupported", "extract() takes its group as a number", at);
    return `CASE WHEN regexp_matches(${text}, ${regex}) THEN regexp_extract(${text}, ${regex}, CAST(${group} AS INTEGER)) END`;
  }),
  // extract_all(regex, text), or with the one group wanted between them: dynamic([2]).
  extract_all: fn("string, any, any?", "dynamic", (_, { values, expressions, context, at }) => {
    const [pattern, groups] = expressions;
    const [regex, , text] = values.length === 3 ? values : [values[0], undefined, values[1]];
    const list =
      groups?.kind === "literal" && groups.type === "dynamic" && Array.isArray(groups.value) ? groups.value : [];
    if (values.length === 3 && (list.length !== 1 || !Number.isInteger(list[0]))) {
      context.fail("unsupported", "extract_all() with other than one group is not supported by the emulator", at);
    }
    const hasGroup = pattern?.kind === "literal" && /\((?!\?)/.test(String(pattern.value).replaceAll(/\\./g, ""));
    const group = values.length === 3 ? Number(list[0]) : hasGroup ? 1 : 0;
    const [source, by] = [text, regex].map((value) => (value ? cast(value, "string") : "NULL"));
    return `to_json(regexp_extract_all(${source}, ${by}, ${group}))`;
  }),
  parse_json: fn("any", "dynamic", ([s], { values }) =>
    values[0]?.type === "dynamic"
      ? `apl_json(TRY_CAST(apl_text(${s}) AS JSON))`
      : `apl_json(TRY_CAST(CAST(${s} AS VARCHAR) AS JSON))`,
  ),
  quote: fn("string", "string", ([s]) => `CAST(to_json(${s}) AS VARCHAR)`),
  url_encode: native("string", "string", "url_encode"),
  url_decode: native("string", "string", "url_decode"),
  base64_encode_tostring: fn("string", "string", ([s]) => `to_base64(encode(${s}))`),
  base64_decode_tostring: fn("string", "string", ([s]) => `TRY(decode(from_base64(${s})))`),
  hash_md5: native("string", "string", "md5"),
  hash_sha1: native("string", "string", "sha1"),
  hash_sha256: native("string", "string", "sha256"),
  isascii: fn("string", "bool", ([s]) => `regexp_full_match(${s}, '[\\x00-\\x7f]*')`),
  isempty: fn("string", "bool", ([s]) => `(${present(s ?? "NULL")} = '')`),
  isnotempty: fn("string", "bool", ([s]) => `(${present(s ?? "NULL")} <> '')`),
};
