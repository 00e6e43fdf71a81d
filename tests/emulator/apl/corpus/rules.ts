import type { Case, Groups } from "./table";

/** The ids of the events of `odd` that pass a condition, where the comparison with a second engine (differential) has no such one. */
export const rules: Groups<readonly number[]> = {
  "a null equals nothing and differs from every value": [
    ["flag == dynamic(null)", []],
    ["flag != dynamic(null)", [3]],
    ["id > long(null)", []],
    ["isempty(method)", [3, 4]],
    ["method !between ('a' .. 'z')", [2, 3, 4]],
  ],
  "a key that a value lacks is null": [
    ["box.nothing == 5", []],
    ["isnull(mix.at.all)", [1, 2, 3, 4]],
    ["mix['nothing'] + 1 > 0", []],
  ],
  "names of fields differ by case": [
    ["method == 'x'", [1]],
    ["Method == 'Y'", [1]],
    ["isnull(column_ifexists('METHOD', null))", [1, 2, 3, 4]],
  ],
  "== minds case, =~ does not, nor do the text operators without _cs": [
    ["method in~ ('X', 'z')", [1, 2]],
    ["method has 'X'", [1, 2]],
    ["method has_cs 'X'", [2]],
    ["method matches regex 'x'", [1]],
    ["method matches regex '(?i)x'", [1, 2]],
    ["method !matches regex 'x'", [2, 3, 4]],
  ],
  "a dynamic value is read as the type beside it": [
    ["mix == 7", [1]],
    ["mix == '7'", [1]],
    ["mix == 'seven'", [2]],
    ["mix.deep == true", [3]],
    ["mix in (7, 'seven')", [1, 2]],
    ["mix + 1 == 8", [1]],
    ["box.a.b[1] == 20", [2]],
    ["box['c/d'] == 1", [2]],
    ["box == 'text'", [4]],
    ["list[0].v == 1", [2]],
    ["array_length(list) == 0", [4]],
    ["'five' in (list)", [3]],
    ["['dotted.name'] == 'd'", [1]],
    ["dotted.name == 'd'", [1]],
  ],
  "a text is read as the number, boolean or time beside it": [
    ["tostring(id) == 2", [2]],
    ["'3' == id", [3]],
    ["id == '2'", [2]],
    ["_time == '2024-01-01T00:00:00Z'", [1, 2, 3, 4]],
  ],
  "an offset counts, and a time without one is UTC": [
    ["_time == datetime(2024-01-01)", [1, 2, 3, 4]],
    ["_time == datetime(2024-01-01T01:00:00+01:00)", [1, 2, 3, 4]],
    ["_time < datetime(2024-01-01T00:00:00.000001Z)", [1, 2, 3, 4]],
    ["_time between (datetime(2023-12-31) .. 2d)", [1, 2, 3, 4]],
    ["_time between (datetime(2023-12-30) .. 1d)", []],
  ],
  "whole numbers are 64 bits wide": [
    ["big == 9007199254740991", [1]],
    ["big + 2 != 9007199254740992", [1, 2, 3, 4]],
  ],
};

/** `has` looks for whole terms: letters and digits, ended by anything else. */
export const terms: Case<boolean> = [
  ["'North America' has 'america'", true],
  ["'North America' has 'amer'", false],
  ["'North America' has 'north america'", true],
  ["'foo-bar' has 'foo'", true],
  ["'foo_bar' has 'foo'", true],
  ["'café' has 'caf'", false],
  ["'x.y' has 'x.y'", true],
  ["'a(b)' has '(b)'", true],
  ["'North America' !has 'america'", false],
  ["'North America' has_any_cs ('asia', 'AMERICA')", false],
  ["'North America' has_all ('north', 'america')", true],
  ["'Admin_User' hasprefix 'Adm'", true],
  ["'Admin_User' hasprefix_cs 'adm'", false],
  ["'a.docx' hassuffix '.docx'", true],
  ["'a.docx' !hassuffix_cs '.DOCX'", true],
  ["'northern' has tolower('NORTH')", false],
  ["'it\\'s 100%' contains '100%'", true],
  ["'a_b' contains 'a_b' and 'axb' !contains 'a_b'", true],
];

/** The texts that `search` and `*` look through. */
export const textEvents = [
  { id: 1, a: "north", b: "america", n: 42, ok: true, list: ["x y", { deep: "Value" }] },
  { id: 2, a: "north america", b: "x", n: 4.25, ok: false, when: "2024-01-01T10:00:00Z" },
  { id: 3, a: "first\nsecond", b: null, n: -7, list: "bare text" },
].map((event) => ({ _time: "2024-01-01T00:00:00Z", ...event }));

/** The ids of those events that an operator finds: in one field, never across two. */
export const searches: Case<readonly number[]> = [
  ["search 'north'", [1, 2]],
  ["search 'north*ica'", [2]],
  ["search 'first*second'", []],
  ["search '-7'", [3]],
  ["search 'fals*'", [2]],
  ["search 'value'", [1]],
  ["search 'bare'", [3]],
  ["search '2024-01'", [1, 2, 3]],
  ["search ''", [1, 2, 3]],
  ["search 'north' and not('x')", []],
  ["search 'x' or 'bare'", [1, 2, 3]],
  ["where * has 'america'", [1, 2]],
  ["where * contains 'orth amer'", [2]],
  ["where * hasprefix 'nor'", [1, 2]],
  ["where * == 'x'", [2]],
  ["where * matches regex '^amer'", [1]],
  ["where * has tolower('VALUE')", [1]],
];
