import type { Case, Values } from "./table";

/** Shapes of queries that people publish in dashboards, runbooks and skills, on the events of support.ts. */
export interface Written {
  readonly apl: string;
  readonly columns: readonly string[];
  readonly rows: Values;
  readonly variables?: Readonly<Record<string, unknown>>;
}

const parameters = "declare query_parameters (_method:string = '', since:datetime = datetime(null), n:long = 2);";
const panel = `${parameters}\nlogs | where isempty(_method) or method == _method | where isnull(since) or _time >= since
  | take n | project dur`;

export const written: readonly Written[] = [
  { apl: panel, columns: ["dur"], rows: [7.5, 100] },
  { apl: panel, variables: { _method: "POST", since: "", n: "1" }, columns: ["dur"], rows: [20.5] },
  { apl: panel, variables: { since: "2024-01-01T02:00:00Z", n: 5 }, columns: ["dur"], rows: [7.5] },
  {
    apl: "declare query_parameters (step:timespan = 1h, on:bool = true, list:dynamic = dynamic(['GET'])); logs | where ok == on and method in (list) | summarize n = count() by bin(_time, step)",
    variables: { step: "2h", list: ["PUT", "GET"] },
    columns: ["_time", "n"],
    rows: ["2024-01-01T00:00:00Z", 2, "2024-01-01T02:00:00Z", 1],
  },
  { apl: 'table("logs") | count', columns: ["count"], rows: [6] },
  {
    apl: "declare query_parameters (source:string = 'odd'); table(source) | count",
    variables: { source: "logs" },
    columns: ["count"],
    rows: [6],
  },
  {
    apl: "logs | summarize slow = arg_max(dur, method)",
    columns: ["slow", "method"],
    rows: [100, "PUT"],
  },
  {
    apl: "logs | where method != 'GET' | project _time, method, dur | summarize arg_max(_time, *) by method",
    columns: ["method", "_time", "dur"],
    rows: ["POST", "2024-01-01T00:10:00Z", 20.5, "PUT", "2024-01-01T01:15:00Z", 100],
  },
  {
    apl: "let bad = logs | where status == 500 | distinct method; logs | where method in (bad) | summarize n = count() by method",
    columns: ["method", "n"],
    rows: ["GET", 4, "PUT", 1],
  },
  {
    apl: "let bad = logs | where status == 500 | distinct method; logs | summarize countif(method !in (bad)) by bin(_time, 1d)",
    columns: ["_time", "count_"],
    rows: ["2024-01-01T00:00:00Z", 1],
  },
  {
    apl: "logs | where user in~ ((logs | where status == 404 | project toupper(user))) | summarize make_set(user)",
    columns: ["make_set_user"],
    rows: [["Ann", "ann"]],
  },
  {
    apl: "let words = datatable(w:string)['placed', 'timeout']; logs | where msg has_any (words) | project user",
    columns: ["user"],
    rows: ["bob", "ann"],
  },
  { apl: "logs | where status in (odd | project id) | count", columns: ["count"], rows: [0] },
  {
    apl: "print a = 1, b = 'x' | project all = pack(*), list = pack_array(*), more = bag_pack('c', 2, *)",
    columns: ["all", "list", "more"],
    rows: [{ a: 1, b: "x" }, [1, "x"], { c: 2, a: 1, b: "x" }],
  },
  {
    apl: "odd | where id == 2 | project whole = box, keys = bag_keys(['box']), inner = box['a']['b'][1], has = isnotnull(box)",
    columns: ["whole", "keys", "inner", "has"],
    rows: [{ a: { b: [10, 20] }, "c/d": 1 }, ["a", "c/d"], 20, true],
  },
  {
    apl: "logs | where isnotnull(geo) | summarize n = count() by place = geo | order by n desc, tostring(place) asc | take 2",
    columns: ["place", "n"],
    rows: [{ city: "Oslo" }, 2, { city: "Rome" }, 2],
  },
  {
    apl: "logs | summarize presence(tags, geo.city, nothing)",
    columns: ["presence_tags"],
    rows: [{ tags: 4, "geo.city": 5, nothing: 0 }],
  },
  {
    apl: "print _time = now(), a = 1, b = dynamic(null) | summarize p = presence(*)",
    columns: ["p"],
    rows: [{ _time: 1, a: 1, b: 0 }],
  },
  {
    apl: "logs | order by _time asc | extend before = prev(dur), after = next(dur, 2, 0.0) | project dur, before, after | take 3",
    columns: ["dur", "before", "after"],
    rows: [10, null, 5, 20.5, 10, 15, 5, 20.5, 100],
  },
  {
    apl: "logs | order by _time asc | extend jump = status - prev(status), twice = prev(prev(status)) | project jump, twice | take 3",
    columns: ["jump", "twice"],
    rows: [null, null, 1, null, 203, 200],
  },
  { apl: "logs | order by _time asc | where dur > 10 * prev(dur, 2) | project dur", columns: ["dur"], rows: [100] },
  {
    apl: "logs | summarize p95 = percentile(dur, 95) by bin(_time, 1w) | project \"p95 (ms)\" = p95, 'per week' = 1w",
    columns: ["p95 (ms)", "per week"],
    rows: [100, "168h0m0s"],
  },
  {
    apl: "logs | project-keep user, geo, nobody | take 1",
    columns: ["user", "geo.city", "nobody"],
    rows: ["ann", "Lima", null],
  },
  { apl: "print series_stats(range(1, 125001))[3]", columns: ["print_0"], rows: [125_000] },
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
