import type { Case, Groups, Values } from "./table";

/** Queries after `logs |`, and their rows. The events are those of support.ts, newest first. */
export const pipelines: Groups<Values> = {
  "rows and columns": [
    ["where status >= 500 | project user, status", ["ann", 500, "cy", 500]],
    ["where status == 404 or method == 'PUT' | project method", ["PUT", "GET"]],
    ["filter isnotnull(tags) and array_length(tags) == 2 | project user", ["cy", "ann"]],
    ["where * has 'oslo' | project user", ["bob", "ann"]],
    ["where ['geo']['city'] == 'Oslo' | count", [2]],
    ["limit 1 | project dur", [7.5]],
    ["take 0 | project dur", []],
    ["sort by status desc, dur asc | project status, dur", [500, 7.5, 500, 100, 404, 5, 201, 20.5, 200, 10, 200, 15]],
    ["order by user asc | project user", [null, "Ann", "ann", "ann", "bob", "cy"]],
    ["order by user asc nulls last | take 1 | project user", ["Ann"]],
    ["order by strlen(msg) desc | take 1 | project msg", ["order-failed: timeout"]],
    ["top 2 by dur | project dur", [100, 20.5]],
    ["where user =~ 'ann' | extend d = dur * 2 | project user, d", ["ann", 15, "Ann", 10, "ann", 20]],
    ["extend a = 1, b = a + 1 | take 1 | project a, b", [1, 2]],
    ["take 1 | project u = toupper(user), dur + 1", ["ANN", 8.5]],
    ["project-keep m* | take 1", ["GET", "North America", "7"]],
    ["project-away _*, g*, t*, msg, mix, ok, user | take 1", ["GET", 500, 7.5]],
    ["project status | project-rename code = status | where code == 404", [404]],
    ["where _time between (datetime(2024-01-01T00:10:00Z) .. datetime(2024-01-01T01:00:00Z)) | count", [3]],
  ],
  "distinct, count and schema": [
    ["count", [6]],
    ["distinct method, ok", ["GET", true, "GET", null, "POST", false, "PUT", false]],
    ["project dur, method | getschema", ["dur", 0, "real", "float", "method", 1, "string", "string"]],
    ["project s = 1h, t = now() | getschema | project ColumnType", ["timespan", "datetime"]],
    ["project method | distinct * | count", [3]],
  ],
  "mv-expand and parse": [
    [
      "mv-expand t = tags to typeof(string) | summarize count() by t | order by t asc nulls last",
      ["a", 2, "b", 2, "c", 1, null, 2],
    ],
    ["where user == 'cy' | mv-expand with_itemindex=i tags | project i, tags", [0, "a", 1, "c"]],
    ["where user == 'Ann' | mv-expand tags | count", [0]],
    ["take 1 | mv-expand x = dynamic({'k': 1, 'l': 2}) | project x", [{ k: 1 }, { l: 2 }]],
    ["where method == 'POST' | parse msg with a '-' b ': ' c | project a, b, c", ["order", "failed", "timeout"]],
    ["where method == 'POST' | parse msg with * '-' how ':' * | project how", ["failed"]],
    ["parse-where msg with first ' ' * | project first", ["North", "Page", "order-failed:", "Order"]],
    ["take 1 | extend s = 'a1b22c' | parse kind=regex s with 'a\\\\d+b' n 'c' | project n", ["22"]],
    ["take 1 | extend s = 'n=x;m=5' | parse kind=relaxed s with 'n=' n: long ';m=' m: long | project n, m", [null, 5]],
  ],
  "order and choice of columns": [
    ["project b10 = 1, a = 2, b9 = 3 | project-reorder b* granny-desc | take 1", [1, 3, 2]],
    ["extend-valid user = extract('^(b.)', 1, user) | summarize make_set(user)", [["Ann", "ann", "bo", "cy"]]],
    ["take 1 | project column_ifexists('user', 'none'), column_ifexists('nobody', method)", ["ann", "GET"]],
    ["take 1 | project a = ingestion_time() | project gettype(a)", ["datetime"]],
  ],
  "joins and look-ups": [
    ["where dur > 50 | join kind=inner (logs) on method, ok | project method, dur1", ["PUT", 100]],
    ["take 2 | join kind=inner (logs | take 3) on method | project dur, dur1", [7.5, 7.5, 7.5, 15, 100, 100]],
    ["join kind=leftanti (logs | where dur > 50) on user | project dur", [7.5, 15, 5, 20.5, 10]],
    [
      "where status == 200 | join kind=rightanti (logs) on status | project dur | order by dur asc",
      [5, 7.5, 20.5, 100],
    ],
    ["join kind=leftsemi (logs | where status == 500) on status | project method", ["GET", "PUT"]],
    [
      "where status == 500 | join kind=rightsemi (logs | project s = status, m = method) on $left.status == $right.s | summarize make_set(m)",
      [["GET", "PUT"]],
    ],
    ["take 1 | join kind=innerunique (logs) on $left.method == $right.method | project dur1", [7.5]],
    [
      "take 2 | project method, dur | join kind=leftouter (datatable (method: string, dur: long) ['GET', 1]) on method | project method, dur, method1, dur1",
      ["GET", 7.5, "GET", 1, "PUT", 100, null, null],
    ],
    [
      "take 2 | project method, status | lookup (datatable (method: string, status: long, note: string) ['GET', 500, 'hi']) on method, status",
      ["GET", 500, "hi", "PUT", 500, null],
    ],
    ["lookup kind=inner (datatable (code: string) ['404']) on tostring(status) == code | project user", ["Ann"]],
  ],
  series: [
    [
      "make-series count() on _time from now(-1d) to now(-20h) step 2h",
      [
        [5, 1],
        ["2024-01-01T00:00:00Z", "2024-01-01T02:00:00Z"],
      ],
    ],
    [
      "make-series most = max(dur) default = -1 on _time from datetime(2024-01-01) to datetime(2024-01-01T02:00:00Z) step 1h by method | project method, most | order by method asc",
      ["GET", [10, 15], "POST", [20.5, -1], "PUT", [-1, 100]],
    ],
    ["make-series n = sumif(1e308 * dur, status == 200) default = 1 on _time step 1h | project n", [[null, null, 0]]],
    [
      "make-series n = count() on _time step 1h | mv-expand n to typeof(long), time to typeof(datetime) | where n == 1 | project time",
      ["2024-01-01T02:00:00Z"],
    ],
  ],
  "texts taken apart": [
    [
      "take 1 | extend s = 'a=1; b=\"x;y\";c' | parse-kv s as (a: long, b, d) with (pair_delimiter=';', kv_delimiter='=') | project a, b, d",
      [1, "x;y", null],
    ],
    ["take 1 | redact replaceToken='<>' redactGroups=true 'N(or)th (.)' on msg | project msg", ["N<>th <>merica"]],
    ["take 1 | redact '(?i)get', ('north') | project method, msg", ["***", "North America"]],
    ["take 1 | redact replaceHash=true '.+' on method | project method != 'GET'", [true]],
  ],
  "several sources": [
    ["union odd | count", [10]],
    ["union withsource=src odd | summarize count() by src | order by src asc", ["logs", 6, "odd", 4]],
    ["union (odd | where id > 2) | where isnotnull(id) | project id | order by id asc", [3, 4]],
    ["search msg:'order' | count", [2]],
    ["search '*eri*' | count", [1]],
    ["search 'order' and status == 201 | project dur", [20.5]],
    ["search not('oslo') | count", [4]],
    ["search * | count", [6]],
  ],
};

/** Whole queries, and the rows of their answers. */
export const queries: Case<Values> = [
  ["union logs, odd | count", [10]],
  ["union (logs | where status == 404), (logs | where status == 201) | project dur | order by dur asc", [5, 20.5]],
  ["search in (logs) 'oslo' | count", [2]],
  ["let a = 2; let b = a * 3; print b", [6]],
  ["let t = 1h; logs | where _time > datetime(2024-01-01T01:00:00Z) + t | count", [1]],
  ["let x = logs; union x, x | count", [12]],
  ["['logs'] // all of them\n| count", [6]],
  ['["logs"]|where status==200|count', [2]],
  ["print 1, b = 'x'", [1, "x"]],
  ["search kind=case_sensitive 'Order' | count", [1]],
  ["search kind=case_sensitive msg has 'order' | count", [1]],
  ["set stricttypes; logs | count", [6]],
  ["datatable (a: int, b: string) [1, 'x', 2, 'y',] | where a == 2", [2, "y"]],
  ["datatable (a: dynamic, b: datetime) [dynamic([1]), now()] | project a[0], b", [1, "2024-01-02T00:00:00Z"]],
  ["range x from 1 to 7 step 3", [1, 4, 7]],
  ["range t from now(-13h) to now() step 12h", ["2024-01-01T11:00:00Z", "2024-01-01T23:00:00Z"]],
  ["print s = 'id=42 took 1.5s' | parse s with 'id=' id: long ' took ' t: real 's' | project id, t", [42, 1.5]],
  ["logs | summarize count() by h = histogram(dur, 2) | order by h asc", [5, 5, 52.5, 1]],
  [
    "let t = datatable (m: string, n: int) ['PUT', 1]; logs | lookup kind=inner t on $left.method == $right.m | project n, dur",
    [1, 100],
  ],
  ["lists | order by id asc | project strcat_array(list, sep)", ["a--b", "", "c4", null]],
  ["lists | order by id asc | project strcat_array(list, '+')", ["a+b", "", "c+4", null]],
  ["lists | order by id asc | project tostring(pack(key, id))", ['{"k":1}', '{"":2}', '{"":3}', '{"y":4}']],
  // In rows of numbers alone there is no text to look through.
  ["range x from 1 to 2 step 1 | search 'a' | count", [0]],
  ["range x from 1 to 2 step 1 | search not('a') | count", [2]],
  ["range x from 1 to 2 step 1 | search 'a' or 'b' | count", [0]],
];

/** Lists whose parts differ from event to event. */
export const listEvents = [
  { id: 1, list: ["a", null, "b"], sep: "--", key: "k" },
  { id: 2, list: [], sep: ",", key: null },
  { id: 3, list: ["c", 4], sep: null, key: "" },
  { id: 4, list: null, sep: "x", key: "y" },
].map((event) => ({ _time: "2024-01-01T00:00:00Z", ...event }));
