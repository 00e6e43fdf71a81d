import { describe, expect, test } from "@jest/globals";
import { type QueryResponse, rows, scalar, totals, warningsOf } from "../../../sdk";
import type { Table } from "../../../sdk/queries/table";
import { aplAnswer, buckets, matches, status, tabularAnswer } from "../../support/queryAnswers";

const noBuckets = { series: [], totals: [] };
const events: QueryResponse = { buckets: noBuckets, matches };
const responseWithCounts = (...values: (number | bigint)[]): QueryResponse => ({
  buckets: { series: [], totals: values.map((value) => ({ group: {}, aggregations: [{ op: "count_", value }] })) },
  matches: [],
});
const [table, totalsTable] = tabularAnswer.tables;
const tables = (only: Table | undefined): QueryResponse => ({ tables: only ? [only] : [] });
const bare = { name: "0", groups: [], sources: [], order: [] };

describe("rows", () => {
  test("of events are their fields with the time", () => {
    expect(rows(events)).toEqual([
      { _time: "2026-11-20T10:00:00Z", status: 200, user: null, geo: { city: "Oslo" }, tags: ["a", null] },
    ]);
  });

  test("of a series are its groups with the start of their interval", () => {
    expect(rows({ buckets, matches: [] })).toEqual([
      { _time: "2026-11-20T00:00:00Z", method: "GET", region: null, count_: 2, slowest: [1.5, null] },
      { _time: "2026-11-20T12:00:00Z", method: "PUT", region: null, count_: 1, slowest: [1.5, null] },
    ]);
  });

  test("of tables come from all tables except the totals", () => {
    expect(rows(tabularAnswer)).toEqual([
      { _time: "2026-11-20T00:00:00Z", method: "GET", n: 2 },
      { _time: "2026-11-20T12:00:00Z", method: null, n: 1 },
    ]);
  });
});

describe("totals", () => {
  test("have a row for each group", () => {
    expect(totals(aplAnswer)).toEqual([
      { method: "GET", region: null, count_: 2, slowest: [1.5, null] },
      { method: "PUT", region: null, count_: 1, slowest: [1.5, null] },
    ]);
    expect(totals(tabularAnswer)).toEqual([
      { method: "GET", n: 2 },
      { method: null, n: 1 },
    ]);
  });

  test("of tables without totals come from the aggregated tables without intervals", () => {
    expect(totals(tables(totalsTable && { ...totalsTable, name: "0" }))).toHaveLength(2);
    expect(totals(tables(table))).toEqual([]);
  });
});

describe("the scalar", () => {
  const one = { ...bare, fields: [{ name: "n", agg: { name: "count" } }], columns: [[7]] };
  const keyed = {
    ...bare,
    name: "_totals",
    groups: [{ name: "k" }],
    fields: [{ name: "k" }, { name: "n" }],
    columns: [["a"], [7]],
  };

  test.each<[string, QueryResponse, unknown]>([
    ["a count", responseWithCounts(7), 7],
    ["a count beyond 2^53", responseWithCounts(9_007_199_254_740_993n), 9_007_199_254_740_993n],
    ["a table of one value", tables(one), 7],
    ["a table with a key", tables(keyed), 7],
    ["one field of one event", { buckets: noBuckets, matches: [{ _time: "x", data: { n: null } }] }, null],
  ])("of %s is its value", (_, answer, value) => {
    expect(scalar(answer)).toBe(value);
  });

  test.each<[string, QueryResponse, RegExp]>([
    ["two groups", responseWithCounts(1, 2), /more than one value/],
    ["two aggregations", { buckets, matches: [] }, /more than one value/],
    ["nothing", { buckets: noBuckets, matches: [] }, /no value/],
    ["an event of several fields", events, /more than one value/],
    ["a table of several rows", tables(table), /more than one value/],
    ["an empty table", tables({ ...one, columns: [[]] }), /no value/],
  ])("of %s is an error", (_, answer, message) => {
    expect(() => scalar(answer)).toThrow(message);
  });
});

describe("warnings", () => {
  test("state that a result is partial, and quote the service", () => {
    expect(warningsOf({ status })).toEqual([
      "the result is partial: the service did not read all the data",
      'the service says "the field colour cannot be computed" (2 times)',
    ]);
  });

  test("leave out information, but not messages of an unknown priority", () => {
    const messages = ["info", "debug", "trace", "warn", undefined, "novel"].map((priority) => ({
      msg: `is ${priority}`,
      ...(priority === undefined ? {} : { priority }),
    }));
    expect(warningsOf({ status: { messages } })).toEqual([
      'the service says "is warn"',
      'the service says "is undefined"',
      'the service says "is novel"',
    ]);
  });

  test("are one bounded line without control characters", () => {
    const [warning] = warningsOf({ status: { messages: [{ msg: `a\u001b[31m\r\nb${"x".repeat(5000)}` }] } });
    expect(warning).toMatch(/^the service says "a \[31m b/);
    expect(warning?.length).toBeLessThan(330);
  });
});
