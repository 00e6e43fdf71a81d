/** Queries after `logs | summarize`, and their rows. Durations are 10, 20.5, 5, 15, 100 and 7.5. */
export const summaries: readonly (readonly [summary: string, rows: readonly unknown[][]])[] = [
  ["count()", [[6]]],
  ["count(user)", [[5]]],
  ["countif(status == 200)", [[2]]],
  ["dcount(user)", [[4]]],
  ["dcount(tags)", [[4]]],
  ["dcountif(user, ok == true)", [[1]]],
  ["sum(dur)", [[158]]],
  ["sum(status)", [[2005]]],
  ["sum(nothing)", [[0]]],
  [
    "tostring(sum(9223372036854775807)), tostring(sum(-9223372036854775807))",
    [["9223372036854775807", "-9223372036854775808"]],
  ],
  ["sum(9223372036854775807) > 10", [[true]]],
  ["sum(100000d) > 1d", [[true]]],
  ["avg(sqrt(dur - 50))", [[7.0710678118654755]]],
  ["sumif(dur, method == 'GET')", [[37.5]]],
  ["avg(status)", [[2005 / 6]]],
  ["avgif(dur, method == 'PUT')", [[100]]],
  ["avg(nothing)", [[null]]],
  ["min(dur), max(dur)", [[5, 100]]],
  ["min(user), max(user)", [["Ann", "cy"]]],
  ["min(_time), max(_time)", [["2024-01-01T00:00:00Z", "2024-01-01T02:59:59.5Z"]]],
  ["minif(dur, ok), maxif(dur, ok)", [[7.5, 15]]],
  ["min(mix), max(tags[0])", [["7", "b"]]],
  ["round(stdev(dur), 3)", [[36.513]]],
  ["round(variance(dur), 3)", [[1333.167]]],
  ["stdev(dur) by status | where status == 404 | project stdev_dur", [[null]]],
  ["percentile(dur, 50)", [[10]]],
  ["percentile(dur, 0), percentile(dur, 100)", [[5, 100]]],
  ["percentiles(dur, 50, 90)", [[[10, 100]]]],
  ["percentiles_array(dur, dynamic([50, 90]))", [[[10, 100]]]],
  ["percentiles_array(status, 50, 100)", [[[201, 500]]]],
  ["percentileif(dur, 100, method == 'GET')", [[15]]],
  ["percentile(_time, 50)", [["2024-01-01T00:30:00Z"]]],
  // A number that is not finite is shown as null, and left out of a list.
  [
    "make_list(dur / (status - 200)), make_set(dur / (status - 404)) by status | where status == 404",
    [[404, [5 / 204], []]],
  ],
  ["percentiles(1e308 * status, 50, 90)", [[[null, null]]]],
  ["topk(1e308 * status, 2), histogram(1e308 * status, 2)", [[[], []]]],
  ["min(parse_json('1e999')), min(parse_json('[1e999]')[0])", [["1e999", "1e999"]]],
  [
    "topk(method, 2)",
    [
      [
        [
          { key: "GET", count: 4, error: 0 },
          { key: "POST", count: 1, error: 0 },
        ],
      ],
    ],
  ],
  ["topk(status, 1)", [[[{ key: 200, count: 2, error: 0 }]]]],
  ["topkif(method, 5, status == 201)", [[[{ key: "POST", count: 1, error: 0 }]]]],
  ["make_list(dur)", [[[10, 20.5, 5, 15, 100, 7.5]]]],
  ["make_list(user, 2)", [[["ann", "bob"]]]],
  ["make_list_if(dur, method == 'PUT')", [[[100]]]],
  ["make_set(method)", [[["GET", "POST", "PUT"]]]],
  ["make_set(_time, 1)", [[["2024-01-01T00:00:00Z"]]]],
  ["make_list(nothing)", [[[]]]],
  ["argmax(dur, user), argmin(dur, user)", [["cy", "Ann"]]],
  ["arg_max(dur, user, method)", [[100, "cy", "PUT"]]],
  ["arg_min(dur, who = user)", [[5, "Ann"]]],
  ["arg_max(status, dur)", [[500, 100]]],
  ["arg_max(nothing, user)", [[null, null]]],
  [
    "histogram(dur, 2)",
    [
      [
        [
          { from: 5, to: 52.5, count: 5 },
          { from: 52.5, to: 100, count: 1 },
        ],
      ],
    ],
  ],
  [
    "histogram(status, 1) by method | where method == 'PUT' | project histogram_status",
    [[[{ from: 500, to: 500, count: 1 }]]],
  ],
  ["rate(dur) by bin(_time, 1h) | project rate_dur", [[35.5 / 3600], [115 / 3600], [7.5 / 3600]]],
  ["total = sum(dur) / count()", [[158 / 6]]],
  ["a = round(avg(dur)), b = toint(max(dur)) - toint(min(dur))", [[26, 95]]],
  [
    "count() by method",
    [
      ["GET", 4],
      ["POST", 1],
      ["PUT", 1],
    ],
  ],
  [
    "count() by ok",
    [
      [false, 2],
      [true, 3],
      [null, 1],
    ],
  ],
  ["count() by method, ok | where count_ > 1", [["GET", true, 3]]],
  [
    "count() by failed = status >= 500",
    [
      [false, 4],
      [true, 2],
    ],
  ],
  [
    "count() by bin(dur, 10)",
    [
      [0, 2],
      [10, 2],
      [20, 1],
      [100, 1],
    ],
  ],
  [
    "count() by bin(_time, 1h)",
    [
      ["2024-01-01T00:00:00Z", 3],
      ["2024-01-01T01:00:00Z", 2],
      ["2024-01-01T02:00:00Z", 1],
    ],
  ],
  ["n = count() by t = bin(_time, 3h)", [["2024-01-01T00:00:00Z", 6]]],
  ["by method", [["GET"], ["POST"], ["PUT"]]],
  [
    "count() by method | order by count_ desc, method desc | take 2",
    [
      ["GET", 4],
      ["PUT", 1],
    ],
  ],
  [
    "n = count() by method | extend share = n * 100 / 6 | project method, share",
    [
      ["GET", 66],
      ["POST", 16],
      ["PUT", 16],
    ],
  ],
  [
    "n = count() by method, bin(_time, 1h) | summarize max(n) by method",
    [
      ["GET", 2],
      ["POST", 1],
      ["PUT", 1],
    ],
  ],
  ["count(), avg(dur) by method | project avg_dur, method | where method == 'PUT'", [[100, "PUT"]]],
  ["n = count() by geo.city | where geo.city == 'Rome'", [["Rome", 2]]],
  [
    "n = count() by ['geo.city'] | where n == 1",
    [
      ["Lima", 1],
      [null, 1],
    ],
  ],
  ["n = count() by tostring(status) | where status == '404'", [["404", 1]]],
  ["max(dur) - min(dur)", [[95]]],
  ["avg(1h * dur)", [["26h20m0s"]]],
];
