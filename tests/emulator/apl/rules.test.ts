import { afterAll, beforeAll, describe, expect, test } from "@jest/globals";
import { openTestDatasets } from "./support";

let open: Awaited<ReturnType<typeof openTestDatasets>>;
beforeAll(async () => {
  open = await openTestDatasets();
});
afterAll(() => open[Symbol.asyncDispose]());

/** Which events of `odd` (ids 1 to 4) and `logs` pass a condition. The rule is the group's name. */
const ODD: Readonly<Record<string, readonly (readonly [condition: string, ids: readonly number[]])[]>> = {
  "a null equals nothing and differs from every value": [
    ["method == 'x'", [1]],
    ["method != 'x'", [2, 3, 4]],
    ["flag == true", [3]],
    ["flag != true", [1, 2, 4]],
    ["flag != false", [1, 2, 3, 4]],
    ["not(flag == true)", [1, 2, 4]],
    ["not(flag)", [1, 2, 4]],
    ["flag == dynamic(null)", []],
    ["flag != dynamic(null)", [3]],
    ["isnull(flag)", [1, 2, 4]],
    ["isnotnull(flag)", [3]],
    ["id > long(null)", []],
    ["isnull(mix)", [4]],
    ["isempty(method)", [3, 4]],
    ["method !contains 'x'", [3, 4]],
    ["method !in ('x')", [2, 3, 4]],
    ["method !has 'x'", [3, 4]],
    ["big > 1 or id == 2", [1, 2]],
    ["not(big > 1 and id == 1)", [2, 3, 4]],
    ["method !between ('a' .. 'z')", [2, 3, 4]],
  ],
  "a field that no event has is null": [
    ["nothing == 5", []],
    ["nothing != 5", [1, 2, 3, 4]],
    ["isnull(nothing.at.all)", [1, 2, 3, 4]],
    ["nothing contains 'x'", []],
    ["nothing + 1 > 0", []],
  ],
  "names of fields differ by case": [
    ["method == 'x'", [1]],
    ["Method == 'Y'", [1]],
    ["isnull(METHOD)", [1, 2, 3, 4]],
  ],
  "== minds case, =~ does not, nor do the text operators without _cs": [
    ["method =~ 'X'", [1, 2]],
    ["method !~ 'X'", [3, 4]],
    ["method in~ ('X', 'z')", [1, 2]],
    ["method has 'X'", [1, 2]],
    ["method has_cs 'X'", [2]],
    ["method contains 'x'", [1, 2]],
    ["method contains_cs 'x'", [1]],
    ["method startswith 'x'", [1, 2]],
    ["method startswith_cs 'x'", [1]],
    ["method !startswith_cs 'x'", [2, 3, 4]],
    ["method endswith_cs 'X'", [2]],
    ["method matches regex 'x'", [1]],
    ["method matches regex '(?i)x'", [1, 2]],
    ["method !matches regex 'x'", [2, 3, 4]],
  ],
  "a dynamic value is read as the type beside it": [
    ["mix == 7", [1]],
    ["mix == '7'", [1]],
    ["mix > 6", [1]],
    ["mix == 'seven'", [2]],
    ["mix has 'seven'", [2]],
    ["mix.deep == true", [3]],
    ["mix in (7, 'seven')", [1, 2]],
    ["mix + 1 == 8", [1]],
    ["box.a.b[1] == 20", [2]],
    ["box['a']['b'][0] == 10", [2]],
    ["box['c/d'] == 1", [2]],
    ["box == 'text'", [4]],
    ["list[0].v == 1", [2]],
    ["list[1] == 'five'", [3]],
    ["array_length(list) == 0", [4]],
    ["'five' in (list)", [3]],
    ["['dotted.name'] == 'd'", [1]],
    ["dotted.name == 'd'", [1]],
  ],
  "a text is read as the number, boolean or time beside it": [
    ["tostring(id) == 2", [2]],
    ["'3' == id", [3]],
    ["id == '2'", [2]],
    ["id == 'two'", []],
    ["flag == 'true'", [3]],
    ["_time == '2024-01-01T00:00:00Z'", [1, 2, 3, 4]],
  ],
  "an offset counts, and a time without one is UTC": [
    ["_time == datetime(2024-01-01)", [1, 2, 3, 4]],
    ["_time == datetime(2024-01-01T01:00:00+01:00)", [1, 2, 3, 4]],
    ["_time < datetime(2024-01-01T00:00:00.000001Z)", [1, 2, 3, 4]],
    ["_time > ago(1d)", []],
    ["_time >= ago(24h)", [1, 2, 3, 4]],
    ["_time between (datetime(2023-12-31) .. 2d)", [1, 2, 3, 4]],
    ["_time between (datetime(2023-12-30) .. 1d)", []],
  ],
  "whole numbers are 64 bits wide": [
    ["big == 9007199254740991", [1]],
    ["big + 2 == 9007199254740993", [1]],
    ["big + 2 != 9007199254740992", [1, 2, 3, 4]],
  ],
};

describe.each(Object.entries(ODD))("%s", (_, conditions) => {
  test.each(conditions)("where %s", async (condition, ids) => {
    expect(await open.column(`odd | where ${condition} | project id | order by id asc`)).toEqual(ids);
  });
});

/** `has` looks for whole terms: letters and digits, ended by anything else. */
const TERMS: readonly (readonly [condition: string, result: boolean])[] = [
  ["'North America' has 'america'", true],
  ["'North America' has 'amer'", false],
  ["'North America' has 'north america'", true],
  ["'foo-bar' has 'foo'", true],
  ["'foo_bar' has 'foo'", true],
  ["'foobar' has 'foo'", false],
  ["'foo1' has 'foo'", false],
  ["'café' has 'caf'", false],
  ["'x.y' has 'x.y'", true],
  ["'a(b)' has '(b)'", true],
  ["'North America' has_cs 'america'", false],
  ["'North America' !has 'america'", false],
  ["'North America' has_any ('asia', 'AMERICA')", true],
  ["'North America' has_any_cs ('asia', 'AMERICA')", false],
  ["'North America' has_all ('north', 'america')", true],
  ["'North America' has_all ('north', 'asia')", false],
  ["'Admin_User' hasprefix 'Adm'", true],
  ["'Admin_User' hasprefix_cs 'adm'", false],
  ["'a.docx' hassuffix '.docx'", true],
  ["'a.docx' !hassuffix_cs '.DOCX'", true],
  ["'NORTH' has tolower('NORTH')", true],
  ["'northern' has tolower('NORTH')", false],
  ["'it''s 100%' contains '100%'", true],
  ["'a_b' contains 'a_b' and 'axb' !contains 'a_b'", true],
];

test.each(TERMS)("%s", async (condition, result) => {
  expect(await open.column(`print ${condition.replaceAll("''", "\\'")}`)).toEqual([result]);
});
