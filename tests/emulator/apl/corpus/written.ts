import type { Case, Values } from "./table";

const parameters = "declare query_parameters (_method:string = '', since:datetime = datetime(null), n:long = 2);";
const panel = `${parameters}\nlogs | where isempty(_method) or method == _method | where isnull(since) or _time >= since
  | take n | project dur`;
const typed = `declare query_parameters (step:timespan = 1h, on:bool = true, list:dynamic = dynamic(['GET']));
  logs | where ok == on and method in (list) | summarize n = count() by bin(_time, step)`;

/** Queries with variables of the request, as dashboards send them. */
export const parameterized: readonly (readonly [apl: string, variables: Readonly<Record<string, unknown>>, Values])[] =
  [
    [panel, {}, [7.5, 100]],
    [panel, { _method: "POST", since: "", n: "1" }, [20.5]],
    [panel, { since: "2024-01-01T02:00:00Z", n: 5 }, [7.5]],
    [typed, { step: "2h", list: ["PUT", "GET"] }, ["2024-01-01T00:00:00Z", 2, "2024-01-01T02:00:00Z", 1]],
    ["declare query_parameters (source:string = 'odd'); table(source) | count", { source: "logs" }, [6]],
  ];

/** Queries and the names of their columns. */
export const named: Case<readonly string[]> = [
  ["logs | summarize slow = arg_max(dur, method)", ["slow", "method"]],
  ["logs | project _time, method, dur | summarize arg_max(_time, *) by method", ["method", "_time", "dur"]],
  ["logs | where true | project \"p95 (ms)\" = dur, 'per week' = 1w", ["p95 (ms)", "per week"]],
  ["logs | project-keep user, geo", ["user", "geo.city"]],
  ["logs | summarize presence(tags, geo.city)", ["presence_tags"]],
  ["print series_stats(range(1, 3))[1], 2", ["print_0", "print_1"]],
  ["logs | count", ["count"]],
  [
    "logs | summarize count(), countif(ok), avg(dur), percentile(dur, 95), sum(dur + 1) by tolower(user), bin(dur, 5)",
    ["user", "dur", "count_", "count_1", "avg_dur", "percentile_dur_95", "sum_"],
  ],
  [
    "logs | summarize avgif(dur, ok), minif(dur, ok), make_list_if(dur, ok), percentileif(dur, 95, ok), countif(ok)",
    ["avg_dur", "min_dur", "make_list_dur", "percentile_dur_95", "count_"],
  ],
];

/** Shapes of queries that people publish in dashboards, runbooks and skills. */
export const written: Case<Values> = [
  ['table("logs") | count', [6]],
  ["logs | summarize slow = arg_max(dur, method)", [100, "PUT"]],
  [
    "logs | where method != 'GET' | project _time, method, dur | summarize arg_max(_time, *) by method",
    ["POST", "2024-01-01T00:10:00Z", 20.5, "PUT", "2024-01-01T01:15:00Z", 100],
  ],
  [
    "let bad = logs | where status == 500 | distinct method; logs | where method in (bad) | summarize n = count() by method",
    ["GET", 4, "PUT", 1],
  ],
  [
    "let bad = logs | where status == 500 | distinct method; logs | summarize countif(method !in (bad)) by bin(_time, 1d)",
    ["2024-01-01T00:00:00Z", 1],
  ],
  [
    "logs | where user in~ ((logs | where status == 404 | project toupper(user))) | summarize make_set(user)",
    [["Ann", "ann"]],
  ],
  [
    "let words = datatable(w:string)['placed', 'timeout']; logs | where msg has_any (words) | project user",
    ["bob", "ann"],
  ],
  ["logs | where status in (odd | project id) | count", [0]],
  [
    "print a = 1, b = 'x' | project all = pack(*), list = pack_array(*), more = bag_pack('c', 2, *)",
    [{ a: 1, b: "x" }, [1, "x"], { c: 2, a: 1, b: "x" }],
  ],
  [
    "odd | where id == 2 | project box, bag_keys(['box']), box['a']['b'][1], isnotnull(box)",
    [{ a: { b: [10, 20] }, "c/d": 1 }, ["a", "c/d"], 20, true],
  ],
  [
    "logs | where isnotnull(geo) | summarize n = count() by place = geo | order by n desc, tostring(place) asc | take 2",
    [{ city: "Oslo" }, 2, { city: "Rome" }, 2],
  ],
  ["logs | summarize presence(tags, geo.city, mix)", [{ tags: 4, "geo.city": 5, mix: 1 }]],
  ["print _time = now(), a = 1, b = dynamic(null) | summarize p = presence(*)", [{ _time: 1, a: 1, b: 0 }]],
  [
    "logs | order by _time asc | extend before = prev(dur), after = next(dur, 2, 0.0) | project dur, before, after | take 3",
    [10, null, 5, 20.5, 10, 15, 5, 20.5, 100],
  ],
  [
    "logs | order by _time asc | extend jump = status - prev(status), twice = prev(prev(status)) | project jump, twice | take 3",
    [null, null, 1, null, 203, 200],
  ],
  ["logs | order by _time asc | where dur > 10 * prev(dur, 2) | project dur", [100]],
  ["logs | summarize percentile(dur, 95) by bin(_time, 1w)", ["2024-01-01T00:00:00Z", 100]],
  ["logs | project-keep user, geo | take 1", ["ann", "Lima"]],
  ["print series_stats(range(1, 125001))[3]", [125_000]],
];

/** Spans of time in events, after `spans |`. Only texts as the service writes them are spans; `kept` has others, too. */
export const spanEvents = [
  { took: "9ms", kept: "5m" },
  { took: "13ms", kept: "5m0s" },
  { took: "1m0.5s", kept: "" },
].map((event, minute) => ({ _time: `2024-01-01T00:0${minute}:00Z`, ...event }));

export const spans: Case<Values> = [
  ["summarize max(took), min(took), sum(took), percentile(took, 50)", ["1m0.5s", "9ms", "1m0.522s", "13ms"]],
  ["project took / 1ms, '90s' / 1s, took * 2 | take 1", [60_500, 90, "2m1s"]],
  ["where took > 10ms or took == '9ms' and took has '9ms' | count", [3]],
  ["order by took desc | project took, kept", spanEvents.toReversed().flatMap(({ took, kept }) => [took, kept])],
];
