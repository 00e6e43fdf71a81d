import { describe, expect, test } from "@jest/globals";
import { connect } from "../../support/client";
import { type Arrived, json, startService } from "../../support/service";

const event = (second: number) => ({ _time: `2026-11-20T00:00:0${second}Z`, data: { n: second } });

const page = (seconds: number[], status: object) =>
  json(200, { buckets: { series: [], totals: [] }, matches: seconds.map(event), status });

/** The position in each request. */
const positions = (requests: readonly Arrived[]) =>
  requests.map(({ body }) => {
    const { continuationToken, cursor, includeCursor } = JSON.parse(body);
    return { continuationToken, cursor, includeCursor };
  });

async function numbers(matches: AsyncIterable<{ data: { readonly [name: string]: unknown } }>) {
  const found: unknown[] = [];
  for await (const { data } of matches) found.push(data.n);
  return found;
}

describe("pages of a structured query", () => {
  test("follow the continuation token until there is none", async () => {
    await using service = await startService(
      page([9, 8], { continuationToken: "a", minCursor: "x" }),
      page([7, 6], { continuationToken: "b", minCursor: "x" }),
      page([5], { continuationToken: "", minCursor: "y" }),
    );
    const { queries } = connect(service.url);
    expect(await numbers(queries.matches({ dataset: "web", limit: 2 }))).toEqual([9, 8, 7, 6, 5]);
    expect(positions(service.requests)).toEqual([{}, { continuationToken: "a" }, { continuationToken: "b" }]);
    expect(service.requests.map(({ body }) => JSON.parse(body).limit)).toEqual([2, 2, 2]);
    expect(service.calls[0]).toBe("POST /v1/datasets/web/query");
    expect(service.requests[0]?.body).not.toContain("dataset");
  });

  test.each([
    ["the token of the page before", ["a", "a"]],
    ["a token of two pages before", ["a", "b", "a"]],
  ])("end when the service repeats %s", async (_, tokens) => {
    await using service = await startService(...tokens.map((continuationToken) => page([1], { continuationToken })));
    let pages = 0;
    for await (const _ of connect(service.url).queries.pages({ dataset: "web" })) pages++;
    expect([pages, service.calls.length]).toEqual([tokens.length, tokens.length]);
  });

  test.each([
    ["older", [{ field: "_time", desc: true }], "min"],
    ["newer", [{ field: "_time", desc: false }], "max"],
  ] as const)("follow the cursor to %s events where there is no token", async (_, order, end) => {
    await using service = await startService(
      page([5], { minCursor: "min-1", maxCursor: "max-1" }),
      page([6], { minCursor: "min-2", maxCursor: "max-2" }),
      page([], {}),
    );
    const query = { dataset: "web", order, includeCursor: true };
    expect(await numbers(connect(service.url).queries.matches(query))).toEqual([5, 6]);
    const sought = [{ includeCursor: true }, { cursor: `${end}-1` }, { cursor: `${end}-2` }];
    expect(positions(service.requests)).toEqual(sought);
  });

  test("are not sought by cursor if another field orders them: the newest event need not be the last", async () => {
    await using service = await startService(page([5, 6], { minCursor: "a", maxCursor: "b" }), page([], {}));
    const query = { dataset: "web", order: [{ field: "n", desc: true }] };
    expect(await numbers(connect(service.url).queries.matches(query))).toEqual([5, 6]);
    expect(service.calls).toHaveLength(1);
  });

  test("end with an error after the events of a partial one, unless the caller sees the status", async () => {
    await using service = await startService(page([9], { continuationToken: "a", isPartial: true }), page([8], {}));
    const { queries } = connect(service.url);
    const found = queries.matches({ dataset: "web" });
    expect(await found.next()).toMatchObject({ value: { data: { n: 9 } } });
    await expect(found.next()).rejects.toThrow(/the result is partial.*queries\.pages/);
    expect(service.calls).toHaveLength(1);
  });

  test("are fetched only on demand", async () => {
    await using service = await startService(page([9, 8], { continuationToken: "a" }), page([7], {}));
    for await (const { data } of connect(service.url).queries.matches({ dataset: "web" })) if (data.n === 8) break;
    expect(service.calls).toHaveLength(1);
  });
});

describe("pages of a query in the query language", () => {
  test("continue in the direction in which the events of a page are sorted", async () => {
    await using up = await startService(page([1, 2], { minCursor: "a", maxCursor: "b" }), page([], {}));
    await using down = await startService(page([2, 1], { minCursor: "a", maxCursor: "b" }), page([], {}));
    for (const [service, cursor] of [
      [up, "b"],
      [down, "a"],
    ] as const) {
      const { queries } = connect(service.url, { profile: "extended" });
      expect(await numbers(queries.matches({ apl: "['web']" }))).toHaveLength(2);
      expect(positions(service.requests)).toEqual([{}, { cursor }]);
    }
  });

  test("need the extended profile: without cursors, the first page would look like the complete result", async () => {
    await using service = await startService(page([1], {}));
    const { queries } = connect(service.url);
    await expect(numbers(queries.matches({ apl: "['web']" }))).rejects.toThrow(
      /the field cursor is not in the profile "documented"/,
    );
    expect(service.calls).toEqual([]);
  });
});
