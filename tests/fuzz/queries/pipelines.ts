import fc from "fast-check";
import { aggregates } from "../../../emulator/apl/plan/aggregate";
import { expressions } from "./expressions";

const { any, bool, string, dynamic } = expressions;

const name = fc.constantFrom("a", "b", "status", "['a b']", "count_", "_time", "Method", "user");
const column = fc.constantFrom(
  "status",
  "method",
  "user",
  "_time",
  "ok",
  "tags",
  "dur",
  "nosuch",
  "count_",
  "mix",
  "id",
);
const dataset = fc.constantFrom("logs", "odd", "['logs']", "lo*", "['none']", 'table("odd")', "table(a)");
const some = <T>(arbitrary: fc.Arbitrary<T>) => fc.array(arbitrary, { minLength: 1, maxLength: 3 });
const joinParts = (parts: readonly string[]) => parts.join(", ");
const named = fc.oneof(
  any,
  fc.tuple(name, any).map(([as, of]) => `${as} = ${of}`),
);
const count = fc.constantFrom("0", "1", "2", "10", "-1", "1.5", "'x'");
const step = fc.constantFrom("1h", "30m", "1d", "auto", "0s", "'1h'", "status");
const sortKey = fc
  .tuple(any, fc.constantFrom("", " asc", " desc"), fc.constantFrom("", " nulls first", " nulls last"))
  .map((parts) => parts.join(""));

const aggregation = fc.oneof(
  fc
    .tuple(
      fc.constantFrom(...Object.keys(aggregates), "arg_max", "arg_min", "phrases"),
      fc.array(any, { maxLength: 2 }),
    )
    .map(([of, args]) => `${of}(${joinParts(args)})`),
  fc
    .tuple(fc.constantFrom("countif", "sumif", "dcountif"), any, bool)
    .map(([of, a, test]) => (of === "countif" ? `countif(${test})` : `${of}(${a}, ${test})`)),
  fc.tuple(any, fc.constantFrom("25", "0", "100", "50, 99", "-1")).map(([of, p]) => `percentile(${of}, ${p})`),
  fc.tuple(column, fc.constantFrom("1", "3", "0")).map(([of, k]) => `topk(${of}, ${k})`),
);
const aggregated = fc.oneof(
  aggregation,
  fc.tuple(name, aggregation).map(([as, of]) => `${as} = ${of}`),
  fc.tuple(aggregation, aggregation).map(([a, b]) => `${a} / ${b}`),
);
const groupKey = fc.oneof(
  named,
  column,
  step.map((size) => `bin(_time, ${size})`),
  fc.constant("bin_auto(_time)"),
);
const by = fc.option(some(groupKey), { nil: [] }).map((keys) => (keys.length > 0 ? ` by ${joinParts(keys)}` : ""));

/** Every operator, but `redact`, whose regular expressions are known to be able to take long. */
const operator: fc.Arbitrary<string> = fc.oneof(
  bool.map((test) => `where ${test}`),
  fc
    .tuple(any, fc.constantFrom("in", "!in", "in~", "has_any", "has_all"), fc.constantFrom("logs", "odd", "t"), any)
    .map(([of, op, table, value]) => `where ${of} ${op} (${table} | project v = ${value})`),
  fc
    .tuple(fc.constantFrom("pack(*)", "pack_array(*)", "prev(dur)", "next(user, 2, 'x')", "prev(geo)", "box"), name)
    .map(([of, as]) => `extend ${as} = ${of}`),
  fc.constantFrom(
    "summarize presence(*)",
    'project "a b" = status',
    "where prev(status) == status",
    "where geo in (t)",
  ),
  fc
    .tuple(fc.constantFrom("extend", "project", "extend-valid"), some(named))
    .map(([of, columns]) => `${of} ${joinParts(columns)}`),
  fc
    .tuple(
      fc.constantFrom("project-away", "project-keep", "project-reorder"),
      some(fc.oneof(column, fc.constantFrom("s*", "*"))),
    )
    .map(([of, columns]) => `${of} ${joinParts(columns)}`),
  fc.tuple(name, column).map(([to, from]) => `project-rename ${to} = ${from}`),
  fc.tuple(some(aggregated), by).map(([all, keys]) => `summarize ${joinParts(all)}${keys}`),
  fc.constantFrom("count", "getschema", "distinct *", "sample 1", "sample 0.5"),
  some(named).map((columns) => `distinct ${joinParts(columns)}`),
  some(sortKey).map((keys) => `order by ${joinParts(keys)}`),
  fc.tuple(count, some(sortKey)).map(([limit, keys]) => `top ${limit} by ${joinParts(keys)}`),
  count.map((limit) => `take ${limit}`),
  fc
    .tuple(
      fc.oneof(
        column,
        dynamic.map((of) => `a = ${of}`),
      ),
      fc.constantFrom("", " to typeof(string)", " limit 2"),
    )
    .map(([of, rest]) => `mv-expand ${of}${rest}`),
  dataset.map((other) => `union ${other}`),
  fc
    .tuple(
      fc.constantFrom("simple", "regex", "relaxed"),
      string,
      fc.constantFrom("* 'o' a", "a:long ' ' b", "'(' a", "* '[a-z]+' b:real *"),
    )
    .map(([kind, of, pattern]) => `parse kind=${kind} ${of} with ${pattern}`),
  fc.constantFrom("'a'", "method: 'GET'", "* and status > 1", "not('x') or 'b'").map((what) => `search ${what}`),
  fc
    .tuple(
      fc.constantFrom("inner", "leftouter", "anti", "leftsemi", "fullouter", "innerunique"),
      dataset,
      fc.oneof(column, fc.constant("$left.status == $right.id")),
    )
    .map(([kind, other, on]) => `join kind=${kind} (${other}) on ${on}`),
  fc.tuple(dataset, column).map(([other, on]) => `lookup ${other} on ${on}`),
  fc
    .tuple(aggregated, fc.constantFrom("1h", "30m", "0s"), by)
    .map(
      ([of, size, keys]) =>
        `make-series ${of} default=0 on _time from datetime('2024-01-01') to datetime('2024-01-02') step ${size}${keys}`,
    ),
  string.map((of) => `parse-kv ${of} as (a: long, b: string) with (pair_delimiter=' ', kv_delimiter='=')`),
);

const source = fc.oneof(
  { weight: 8, arbitrary: fc.constantFrom("logs", "odd") },
  { weight: 2, arbitrary: dataset },
  { weight: 1, arbitrary: some(named).map((columns) => `print ${joinParts(columns)}`) },
  {
    weight: 1,
    arbitrary: fc.constantFrom(
      "range x from 1 to 5 step 1",
      "range x from 5 to 1 step -1",
      "range a from 1 to 2 step 0",
    ),
  },
  {
    weight: 1,
    arbitrary: fc.constantFrom("datatable (a: long, b: string) [1, 'x', 2, 'y']", "union logs, odd", "search 'a'"),
  },
);

const statement = fc.oneof(
  fc
    .constantFrom("string = 'logs'", "long = 2", "datetime = datetime(null)", "dynamic")
    .map((type) => `declare query_parameters (a:${type});\n`),
  fc.tuple(fc.constantFrom("a", "status", "count_"), any).map(([as, of]) => `let ${as} = ${of};\n`),
  fc.tuple(fc.constantFrom("t", "logs"), operator).map(([as, of]) => `let ${as} = odd | ${of};\n`),
);

/** A whole query by the rules of the grammar; whether it means anything is the planner's business. */
export const query: fc.Arbitrary<string> = fc
  .tuple(fc.array(statement, { maxLength: 1 }), source, fc.array(operator, { maxLength: 4 }))
  .map(([statements, from, operators]) => `${statements.join("")}${[from, ...operators].join("\n| ")}`);

/** A range of time as a request has it, now and then one that it should not have. */
export const range = fc.oneof(
  {
    weight: 9,
    arbitrary: fc.constantFrom({}, { startTime: "now-1d", endTime: "now" }, { startTime: "2024-01-01T00:00:00Z" }),
  },
  {
    weight: 1,
    arbitrary: fc.record(
      {
        startTime: fc.constantFrom("", "yesterday", "9999-12-31T23:59:59Z"),
        endTime: fc.constantFrom("now", "0001-01-01T00:00:00Z", "x"),
      },
      { requiredKeys: [] },
    ),
  },
);
