import { describe, expect, test } from "@jest/globals";
import type { AplRequest, DatasetRequest } from "../../../sdk";
import { connect, failure } from "../../support/client";
import { aplAnswer, datasetAnswer, fieldMeta, tabularAnswer } from "../../support/queryAnswers";
import { json, raw, startService } from "../../support/service";

const period = { startTime: "2026-11-20T00:00:00Z", endTime: "2026-11-21T00:00:00Z" };

/** Each documented field of 2.3, in the request that has it. */
const aplRequest: AplRequest = { apl: "['web'] | count", ...period };
const datasetRequest: DatasetRequest = {
  ...period,
  aggregations: [{ alias: "p", argument: [50, 99], field: "dur", op: "percentiles" }],
  continuationToken: "token-1",
  cursor: "cursor-1",
  filter: {
    op: "and",
    caseSensitive: true,
    children: [
      { field: "status", op: ">=", value: 500 },
      { field: "path", op: "starts-with", value: "/api", caseSensitive: false },
    ],
  },
  groupBy: ["method", "geo.city"],
  includeCursor: true,
  limit: 25,
  order: [{ field: "_time", desc: false }],
  project: [{ field: "status", alias: "code" }],
  queryOptions: { displayNull: "n/a" },
  resolution: "auto",
};

describe("a request", () => {
  test("has all of its fields", async () => {
    await using service = await startService(json(200, aplAnswer), json(200, datasetAnswer));
    const { queries } = connect(service.url);
    await queries.apl(aplRequest);
    await queries.dataset("web", datasetRequest);
    expect(service.calls).toEqual(["POST /v1/datasets/_apl", "POST /v1/datasets/web/query"]);
    expect(service.requests.map(({ body }) => JSON.parse(body))).toEqual([aplRequest, datasetRequest]);
  });

  test("has a Date as an RFC 3339 timestamp; an invalid Date is refused before anything is sent", async () => {
    await using service = await startService(json(200, aplAnswer));
    const { queries } = connect(service.url);
    await queries.apl({ apl: "['web']", startTime: new Date(0), endTime: "now" });
    expect(JSON.parse(service.requests[0]?.body ?? "")).toEqual({
      apl: "['web']",
      startTime: "1970-01-01T00:00:00.000Z",
      endTime: "now",
    });
    await expect(queries.dataset("web", { endTime: new Date("x") })).rejects.toThrow("endTime: an invalid Date");
    expect(service.calls).toHaveLength(1);
  });

  test("has an integer beyond 2^53 with all its digits", async () => {
    await using service = await startService(json(200, datasetAnswer));
    const filter = { op: "==", field: "id", value: 9_007_199_254_740_993n };
    await connect(service.url).queries.dataset("web", { filter });
    expect(service.requests[0]?.body).toContain('"value":9007199254740993}');
  });
});

describe("a response", () => {
  test("has all members that the service sent, and no others", async () => {
    await using service = await startService(json(200, datasetAnswer), json(200, aplAnswer), json(200, tabularAnswer));
    const { queries } = connect(service.url, { profile: "extended" });
    expect(await queries.dataset("web", datasetRequest)).toEqual(datasetAnswer);
    expect(await queries.apl(aplRequest)).toEqual(aplAnswer);
    expect(await queries.apl(aplRequest, { format: "tabular" })).toEqual(tabularAnswer);
  });

  test("has empty lists where the service sent null or nothing", async () => {
    const buckets = { series: null, totals: [{ group: null }] };
    await using service = await startService(json(200, { buckets, matches: null, status: { messages: null } }));
    expect(await connect(service.url).queries.dataset("web", {})).toEqual({
      buckets: { series: [], totals: [{ group: {}, aggregations: [] }] },
      matches: [],
      status: { messages: [] },
      fieldsMeta: [],
    });
  });

  test("keeps the nulls of events and of groups, and drops the others", async () => {
    const match = { _time: period.startTime, _rowId: null, data: { user: null, list: [null] } };
    const group = { id: null, group: { user: null }, aggregations: [{ op: "max", value: null }, { op: "min" }] };
    await using service = await startService(
      json(200, { buckets: { series: [], totals: [group] }, matches: [match], status: { isPartial: null } }),
    );
    const { matches, buckets, status } = await connect(service.url).queries.dataset("web", {});
    expect(matches).toEqual([{ _time: period.startTime, data: { user: null, list: [null] } }]);
    const aggregations = ["max", "min"].map((op) => ({ op, value: null }));
    expect(buckets.totals).toEqual([{ group: { user: null }, aggregations }]);
    expect(status).toEqual({ messages: [] });
  });

  test("keeps integers beyond 2^53 exact, and only those are bigints", async () => {
    const text = `{"buckets":{"totals":[{"id":18446744073709551615,"group":{"id":-9007199254740993},"aggregations":[{"op":"n","value":9007199254740991}]}]},
      "matches":[{"_time":"x","data":{"id": 9007199254740993 ,"ids":[9007199254740993,1.5e300,1234567890123456.5],"text":"a 9007199254740993, b"}}],"status":{"rowsMatched":9007199254740992}}`;
    await using service = await startService(raw(text));
    const { buckets, matches, status } = await connect(service.url).queries.dataset("web", {});
    expect(buckets.totals[0]).toEqual({
      id: 18446744073709551615n,
      group: { id: -9007199254740993n },
      aggregations: [{ op: "n", value: 9007199254740991 }],
    });
    expect(matches[0]?.data).toEqual({
      id: 9007199254740993n,
      ids: [9007199254740993n, 1.5e300, 1234567890123456.5],
      text: "a 9007199254740993, b",
    });
    expect(status.rowsMatched).toBe(9007199254740992n);
  });

  test("cannot change a prototype with any of its names", async () => {
    const text = `{"buckets":{"totals":[{"group":{"__proto__":{"polluted":1}}}]},"matches":[{"_time":"x","data":{"__proto__":{"polluted":1},"constructor":2}}],"status":{},"fieldsMetaMap":{"__proto__":[{"name":"x"}]}}`;
    await using service = await startService(raw(text));
    const { matches, fieldsMetaMap } = await connect(service.url).queries.apl(aplRequest);
    expect(Object.keys(matches[0]?.data ?? {})).toEqual(["__proto__", "constructor"]);
    expect(Object.getPrototypeOf(matches[0]?.data)).toBeNull();
    expect(Object.keys(fieldsMetaMap)).toEqual(["__proto__"]);
    expect(({} as { polluted?: unknown }).polluted).toBeUndefined();
  });

  test.each<[string, unknown, RegExp]>([
    ["no status", { buckets: {}, matches: [] }, /status: expected/],
    ["no buckets", { status: {}, matches: [] }, /buckets: expected/],
    [
      "a count that is text",
      { ...datasetAnswer, status: { rowsMatched: "7" } },
      /status\.rowsMatched: expected an integer/,
    ],
    ["tables instead of buckets", tabularAnswer, /buckets: expected/],
    ["a field without a name", { ...datasetAnswer, fieldsMeta: [{ ...fieldMeta, name: 7 }] }, /fieldsMeta\.0\.name/],
  ])("with %s is an error that names the place, never an empty result", async (_, answer, message) => {
    await using service = await startService(json(200, answer));
    const error = await failure(connect(service.url).queries.dataset("web", datasetRequest));
    expect(error.message).toMatch(message);
    expect(service.calls).toHaveLength(1);
  });

  test("as tables is refused if the columns do not match the fields", async () => {
    const [table] = tabularAnswer.tables;
    const answer = { ...tabularAnswer, tables: [{ ...table, columns: [["a"], ["b", "c"], [1]] }] };
    await using service = await startService(json(200, answer));
    const { queries } = connect(service.url, { profile: "extended" });
    const error = await failure(queries.apl(aplRequest, { format: "tabular" }));
    expect(error.message).toMatch(/tables\.0: expected one column of the same length for each field/);
  });
});
