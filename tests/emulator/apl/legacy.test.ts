import { describe, expect, test } from "@jest/globals";
import type { LegacyAggregation, LegacyFilter, LegacyRequest } from "../../../emulator/apl";
import { failure, shareDatasets } from "./support";

const open = shareDatasets();

/** Ops that the comparison with a second engine (differential) leaves out, over durations 10, 20.5, 5, 15, 100 and 7.5. */
test.each<readonly [LegacyAggregation, unknown]>([
  [{ op: "count" }, 6],
  [{ op: "count", field: "user" }, 5],
  [{ op: "topk", field: "method", argument: 1 }, [{ key: "GET", count: 4, error: 0 }]],
  [{ op: "percentiles", field: "dur" }, [10, 100, 100]],
  [
    { op: "histogram", field: "dur", argument: 2 },
    [
      { from: 5, to: 52.5, count: 5 },
      { from: 52.5, to: 100, count: 1 },
    ],
  ],
  [{ op: "stdev", field: "dur" }, expect.closeTo(36.5126, 3)],
  [{ op: "variance", field: "dur" }, expect.closeTo(1333.1667, 3)],
  [{ op: "argmin", field: "dur", argument: "user" }, "Ann"],
  [{ op: "argmax", field: "dur", argument: "user" }, "cy"],
  [{ op: "argmax", field: "dur" }, 100],
  [{ op: "rate", field: "dur" }, 158 / 86_400],
])("%j", async (aggregation, value) => {
  const range = { startTime: "2024-01-01T00:00:00Z", endTime: "2024-01-02T00:00:00Z" };
  const { buckets } = await open.datasets.legacy("logs", {
    ...range,
    resolution: "1d",
    aggregations: [{ ...aggregation, alias: "x" }],
  });
  expect(buckets.series[0]?.groups[0]?.aggregations).toEqual([{ op: "x", value }]);
  expect(buckets.totals[0]?.aggregations).toEqual([{ op: "x", value }]);
});

const leaf = (field: string, op: string, value?: unknown, caseSensitive?: boolean): LegacyFilter => ({
  field,
  op,
  value,
  ...(caseSensitive !== undefined && { caseSensitive }),
});

/** Ops that the comparison with a second engine leaves out, and the durations of the events that pass, newest first. */
test.each<readonly [LegacyFilter, readonly number[]]>([
  [leaf("status", "eq", 200), [15, 10]],
  [leaf("status", "ne", 200), [7.5, 100, 5, 20.5]],
  [leaf("dur", "gt", 15), [100, 20.5]],
  [leaf("dur", "gte", 20.5), [100, 20.5]],
  [leaf("dur", "lt", 7.5), [5]],
  [leaf("dur", "lte", 7.5), [7.5, 5]],
  [leaf("_time", ">=", "2024-01-01T01:15:00Z"), [7.5, 100]],
  [leaf("msg", "regexp", "^(order|page)"), [5, 20.5, 10]],
  [leaf("msg", "regexp", "^(order|page)", true), [20.5]],
  [leaf("msg", "not-regexp", "o"), [100, 15]],
])("%j", async (filter, durations) => {
  const { matches } = await open.datasets.legacy("logs", { filter, project: [{ field: "dur" }] });
  expect(matches.map(({ data }) => data.dur)).toEqual(durations);
});

const data = async (request: LegacyRequest) =>
  (await open.datasets.legacy("logs", request)).matches.map((match) => match.data);

describe("events", () => {
  test("are projected under other names, ordered and limited", async () => {
    const request: LegacyRequest = {
      project: [{ field: "dur", alias: "ms" }, { field: "user" }],
      order: [{ field: "ms", desc: true }],
      limit: 2,
    };
    expect(await data(request)).toEqual([
      { ms: 100, user: "cy" },
      { ms: 20.5, user: "bob" },
    ]);
    expect(await data({ project: [{ field: "user" }], order: [{ field: "dur" }], limit: 1 })).toEqual([
      { user: "Ann" },
    ]);
    expect(await data({ limit: 0 })).toHaveLength(6); // not given, for a client in Go
  });

  test("may have fields computed by expressions", async () => {
    const virtualFields = [
      { alias: "secs", expr: "dur / 1000" },
      { alias: "big", expr: "secs > 0.05" },
    ];
    expect(await data({ virtualFields, filter: leaf("big", "==", true), project: [{ field: "secs" }] })).toEqual([
      { secs: 0.1 },
    ]);
  });
});

describe("groups", () => {
  test("are ordered and limited over the whole window", async () => {
    const { buckets } = await open.datasets.legacy("logs", {
      aggregations: [
        { op: "count", alias: "n" },
        { op: "max", field: "dur", alias: "m" },
      ],
      groupBy: ["method"],
      order: [{ field: "m", desc: true }],
      limit: 2,
      resolution: "1h",
    });
    expect(buckets.totals.map(({ group }) => group.method)).toEqual(["PUT", "POST"]);
    expect(buckets.series.map(({ groups }) => groups.map(({ group }) => group.method))).toEqual([["POST"], ["PUT"]]);
  });

  test.each([
    ["auto", 12],
    ["1h", 3],
    [undefined, 12],
  ])("with a resolution of %s fall into %d intervals or fewer", async (resolution, most) => {
    const { buckets } = await open.datasets.legacy("logs", {
      aggregations: [{ op: "count" }],
      ...(resolution && { resolution }),
    });
    expect(buckets.series.length).toBeLessThanOrEqual(most);
    expect(
      buckets.series
        .flatMap(({ groups }) => groups)
        .reduce((sum, { aggregations }) => sum + Number(aggregations[0]?.value), 0),
    ).toBe(6);
  });
});

test.each<readonly [LegacyRequest, string, RegExp]>([
  [{ aggregations: [{ op: "median", field: "dur" }] }, "unsupported", /aggregation op "median"/],
  [{ aggregations: [{ op: "sum" }] }, "semantic", /"sum" needs a field/],
  [{ aggregations: [{ op: "topk", field: "a", argument: "many" }] }, "semantic", /expected a number/],
  [{ filter: { op: "like", field: "a", value: 1 } }, "unsupported", /filter op "like"/],
  [{ filter: { op: "==", value: 1 } }, "semantic", /names no field/],
  [{ filter: { op: "==", field: "a", value: {} } }, "semantic", /no value it can compare/],
  [{ limit: 50_001 }, "semantic", /limit is 50001/],
  [{ virtualFields: [{ alias: "a", expr: "1 +" }] }, "syntax", /found the end/],
])("%j is refused", async (request, kind, message) => {
  expect(await failure(open.datasets.legacy("logs", request))).toMatchObject({
    kind,
    message: expect.stringMatching(message),
  });
});
