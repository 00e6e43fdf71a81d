/** Queries after `logs |`, and their rows: operators that create, join or reshape tables. */
export const tablePipelines: Readonly<
  Record<string, readonly (readonly [pipeline: string, values: readonly unknown[]])[]>
> = {
  "order and choice of columns": [
    ["project b10 = 1, a = 2, b9 = 3 | project-reorder b* granny-desc | take 1", [1, 3, 2]],
    [
      "where status == 404 or method == 'PUT' | extend-valid user = extract('^(c.)', 1, user) | project user",
      ["cy", "Ann"],
    ],
    ["take 1 | project column_ifexists('user', 'none'), column_ifexists('nobody', method)", ["ann", "GET"]],
    ["take 1 | project a = ingestion_time() | project gettype(a)", ["datetime"]],
  ],
  "joins and look-ups": [
    [
      "project method, dur | join kind=inner (datatable (method: string, weight: long) ['GET', 1, 'PUT', 2, 'GET', 3]) on method | project dur, weight",
      [7.5, 1, 7.5, 3, 100, 2, 15, 1, 15, 3, 5, 1, 5, 3, 10, 1, 10, 3],
    ],
    [
      "take 2 | project method, dur | join kind=innerunique (datatable (m: string, weight: long) ['GET', 1, 'GET', 3]) on $left.method == $right.m | project dur, m, weight",
      [7.5, "GET", 1],
    ],
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
      "make-series count() on _time from datetime(2024-01-01) to datetime(2024-01-01T04:00:00Z) step 1h",
      [
        [3, 2, 1, 0],
        ["2024-01-01T00:00:00Z", "2024-01-01T01:00:00Z", "2024-01-01T02:00:00Z", "2024-01-01T03:00:00Z"],
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
    [
      "take 1 | redact replaceToken='<gone>' redactGroups=true 'N(or)th (.)' on msg | project msg",
      ["N<gone>th <gone>merica"],
    ],
    ["take 1 | redact '(?i)get', ('north') | project method, msg", ["***", "North America"]],
    ["take 1 | redact replaceHash=true '.+' on method | project method != 'GET'", [true]],
  ],
};

/** Whole queries, and the rows of their answers. */
export const tableQueries: readonly (readonly [apl: string, values: readonly unknown[]])[] = [
  ["search kind=case_sensitive 'Order' | count", [1]],
  ["search kind=case_sensitive msg has 'order' | count", [1]],
  ["set stricttypes; logs | count", [6]],
  ["datatable (a: int, b: string) [1, 'x', 2, 'y',] | where a == 2", [2, "y"]],
  [
    "datatable (a: dynamic, b: datetime) [dynamic([1]), datetime(2024-01-01)] | project a[0], b",
    [1, "2024-01-01T00:00:00Z"],
  ],
  ["range x from 1 to 7 step 3", [1, 4, 7]],
  [
    "range t from datetime(2024-01-01) to datetime(2024-01-02) step 12h",
    ["2024-01-01T00:00:00Z", "2024-01-01T12:00:00Z", "2024-01-02T00:00:00Z"],
  ],
  ["logs | summarize count() by h = histogram(dur, 2) | order by h asc", [5, 5, 52.5, 1]],
  [
    "let t = datatable (m: string, n: int) ['PUT', 1]; logs | lookup kind=inner t on $left.method == $right.m | project n, dur",
    [1, 100],
  ],
];
