import { expect, test } from "@jest/globals";
import type { LegacyAggregation, LegacyFilter, LegacyRequest } from "../../../emulator/apl";
import { failure, shareDatasets } from "./support";

const open = shareDatasets();

/** Ops that the comparison with a second engine (differential) leaves out, over durations 10, 20.5, 5, 15, 100 and 7.5. */
test.each<readonly [LegacyAggregation, unknown]>([
  [{ op: "count" }, 6],
  [{ op: "count", field: "user" }, 5],
  [{ op: "topk", field: "method", argument: 1 }, [{ key: "GET", count: 4, error: 0 }]],
  [{ op: "percentiles", field: "dur" }, [10, 100, 100]],
  [{ op: "histogram", field: "dur", argument: 1 }, [{ from: 5, to: 100, count: 6 }]],
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

/** Ops that the comparison with a second engine leaves out, and the durations of the events that pass, newest first. */
test.each<readonly [LegacyFilter, readonly number[]]>([
  [{ field: "_time", op: ">=", value: "2024-01-01T01:15:00Z" }, [7.5, 100]],
  [{ field: "msg", op: "regexp", value: "^(order|page)" }, [5, 20.5, 10]],
  [{ field: "msg", op: "regexp", value: "^(order|page)", caseSensitive: true }, [20.5]],
  [{ field: "msg", op: "not-regexp", value: "o" }, [100, 15]],
])("%j", async (filter, durations) => {
  const { matches } = await open.datasets.legacy("logs", { filter, project: [{ field: "dur" }] });
  expect(matches.map(({ data }) => data.dur)).toEqual(durations);
});

const data = async (request: LegacyRequest) =>
  (await open.datasets.legacy("logs", request)).matches.map((match) => match.data);

test("events are projected under other names, ordered and limited, and may have computed fields", async () => {
  const project = [{ field: "dur", alias: "ms" }, { field: "user" }];
  expect(await data({ project, order: [{ field: "ms", desc: true }], limit: 1 })).toEqual([{ ms: 100, user: "cy" }]);
  expect(await data({ project: [{ field: "user" }], order: [{ field: "dur" }], limit: 1 })).toEqual([{ user: "Ann" }]);
  expect(await data({ limit: 0 })).toHaveLength(6); // not given, for a client in Go
  const virtualFields = [
    { alias: "secs", expr: "dur / 1000" },
    { alias: "big", expr: "secs > 0.05" },
  ];
  const filter = { field: "big", op: "==", value: true };
  expect(await data({ virtualFields, filter, project: [{ field: "secs" }] })).toEqual([{ secs: 0.1 }]);
});

test("groups are ordered and limited over the whole window", async () => {
  const { buckets } = await open.datasets.legacy("logs", {
    aggregations: [{ op: "max", field: "dur", alias: "m" }],
    groupBy: ["method"],
    order: [{ field: "m", desc: true }],
    limit: 2,
    resolution: "1h",
  });
  expect(buckets.totals.map(({ group }) => group.method)).toEqual(["PUT", "POST"]);
  expect(buckets.series.map(({ groups }) => groups.map(({ group }) => group.method))).toEqual([["POST"], ["PUT"]]);
});

test.each([
  [{ resolution: "auto" }, ["00:00", "00:10", "00:30", "01:00", "01:15", "02:55"]],
  [{ resolution: "3600" }, ["00:00", "01:00", "02:00"]],
  [{}, ["00:00", "00:10", "00:30", "01:00", "01:15", "02:55"]],
])("with %j there are intervals from %j", async (resolution, starts) => {
  const { buckets } = await open.datasets.legacy("logs", { aggregations: [{ op: "count" }], ...resolution });
  expect(buckets.series.map(({ startTime }) => startTime.slice(11, 16))).toEqual(starts);
});

test.each<readonly [LegacyRequest, string, RegExp]>([
  [{ aggregations: [{ op: "median", field: "dur" }] }, "unsupported", /aggregation op "median"/],
  [{ aggregations: [{ op: "sum" }] }, "semantic", /"sum" needs a field/],
  [{ aggregations: [{ op: "topk", field: "a", argument: "many" }] }, "semantic", /expected a number/],
  [{ filter: { op: "like", field: "a", value: 1 } }, "unsupported", /filter op "like"/],
  [{ filter: { op: "==", value: 1 } }, "semantic", /has no field/],
  [{ filter: { op: "==", field: "a", value: {} } }, "semantic", /no value it can compare/],
  [{ limit: 50_001 }, "semantic", /limit is 50001/],
  [{ virtualFields: [{ alias: "a", expr: "1 +" }] }, "syntax", /found the end/],
])("%j is refused", async (request, kind, message) => {
  expect(await failure(open.datasets.legacy("logs", request))).toMatchObject({
    kind,
    message: expect.stringMatching(message),
  });
});
