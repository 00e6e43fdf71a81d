import { tablePipelines, tableQueries } from "./tables";

/** Queries after `logs |`, and their rows. The events are those of support.ts, newest first. */
export const pipelines: Readonly<Record<string, readonly (readonly [pipeline: string, values: readonly unknown[]])[]>> =
  {
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
        "mv-expand tags | where isnotnull(tags) | project user, tags | order by user asc, tostring(tags) asc",
        ["ann", "a", "ann", "b", "bob", "b", "cy", "a", "cy", "c"],
      ],
      [
        "mv-expand t = tags to typeof(string) | summarize count() by t | order by t asc nulls last",
        ["a", 2, "b", 2, "c", 1, null, 2],
      ],
      ["where user == 'cy' | mv-expand with_itemindex=i tags | project i, tags", [0, "a", 1, "c"]],
      ["where user == 'Ann' | mv-expand tags | count", [0]],
      ["take 1 | mv-expand x = dynamic({'k': 1, 'l': 2}) | project x", [{ k: 1 }, { l: 2 }]],
      [
        "where method == 'POST' | parse msg with what '-' how ': ' why | project what, how, why",
        ["order", "failed", "timeout"],
      ],
      ["where method == 'POST' | parse msg with * '-' how ':' * | project how", ["failed"]],
      [
        "parse-where msg with what ' ' rest | project what, rest",
        ["North", "America", "Page", "not found", "order-failed:", "timeout", "Order", "placed"],
      ],
      [
        "take 1 | extend s = 'id=42 took 1.5s ok' | parse s with 'id=' id: long ' took ' t: real 's' * | project id, t",
        [42, 1.5],
      ],
      ["take 1 | extend s = 'a1b22c' | parse kind=regex s with 'a\\\\d+b' n 'c' | project n", ["22"]],
      [
        "take 1 | extend s = 'n=x;m=5' | parse kind=relaxed s with 'n=' n: long ';m=' m: long | project n, m",
        [null, 5],
      ],
    ],
    ...tablePipelines,
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
export const queries: readonly (readonly [apl: string, values: readonly unknown[]])[] = [
  ["union logs, odd | count", [10]],
  ["union (logs | where status == 404), (logs | where status == 201) | project dur | order by dur asc", [5, 20.5]],
  ["search in (logs) 'oslo' | count", [2]],
  ["let a = 2; let b = a * 3; print b", [6]],
  ["let t = 1h; logs | where _time > datetime(2024-01-01T01:00:00Z) + t | count", [1]],
  ["let x = logs; union x, x | count", [12]],
  ["['logs'] // all of them\n| count", [6]],
  ['["logs"]|where status==200|count', [2]],
  ["print 1, b = 'x'", [1, "x"]],
  ...tableQueries,
];
