import { describe, expect, test } from "@jest/globals";
import { RateWindow } from "../../sdk/rateWindow";
import { Clock, storm } from "../scripts/load";
import { connect, failure } from "../support/client";
import { json, startService } from "../support/service";

describe("100 creates succeed within the rate limit, with few refusals and short waits", () => {
  const minute = 60_000;

  test.each<[string, ...Parameters<typeof storm>, most: number, waits: number]>([
    ["60 a minute, 16 at once", "fixed window", 100, { most: 60, atOnce: 16 }, 105, 2 * minute],
    ["60 a minute, all at once", "fixed window", 100, { most: 60 }, 105, 2 * minute],
    ["60 a minute, one after another", "fixed window", 100, { most: 60, atOnce: 1 }, 101, 2 * minute],
    ["5 in two seconds", "fixed window", 100, { most: 5, window: 2_000, atOnce: 16 }, 105, 40_000],
    ["60 a minute, told only in refusals", "Retry-After, seconds", 100, { most: 60, atOnce: 16 }, 120, 2 * minute],
    ["60 a minute, never told", "no header", 100, { most: 60, atOnce: 16 }, 125, 4 * minute],
  ])("%s", async (_, kind, calls, options, requests, waits) => {
    const { failed, doubled, amplification, waited } = await storm(kind, calls, options);
    expect([failed, doubled]).toEqual([0, 0]);
    expect(amplification * calls).toBeLessThanOrEqual(requests);
    expect(waited).toBeLessThanOrEqual(waits);
  });

  test("the user sees one line per pause, no matter how many requests wait", async () => {
    const { lines } = await storm("fixed window", 100, { most: 60, atOnce: 16 });
    expect(lines).toEqual(["the rate limit of the service is used up: requests wait for 60 s"]);
  });
});

describe("a refused request", () => {
  const reset = String(Date.parse("2026-11-21T12:00:09Z") / 1000);

  test.each<[number, Record<string, string>, number]>([
    [429, { "retry-after": "3" }, 3000],
    [503, { "retry-after": "2.5" }, 2500],
    // The clock of the service is an hour ahead.
    [429, { "retry-after": "Sat, 21 Nov 2026 13:00:05 GMT", date: "Sat, 21 Nov 2026 13:00:00 GMT" }, 5000],
    [503, { "retry-after": "Sat, 21 Nov 2026 13:00:05 GMT", date: "Sat, 21 Nov 2026 13:00:00 GMT" }, 5000],
    [429, { "x-ratelimit-reset": reset, date: "Sat, 21 Nov 2026 12:00:00 GMT" }, 9000],
  ])("with status %i waits according to %j", async (status, headers, wait) => {
    const clock = new Clock();
    await using service = await startService(json(status, {}, headers), json(200, []));
    expect(await connect(service.url, { sleep: clock.sleep, now: clock.now }).tokens.list()).toEqual([]);
    expect(clock.waits).toEqual([wait]);
  });

  test("fails at once if the wait is too long, and names the wait", async () => {
    const clock = new Clock();
    await using service = await startService(json(429, {}, { "retry-after": "3600" }));
    const error = await failure(connect(service.url, { sleep: clock.sleep, now: clock.now }).tokens.list());
    expect(error).toMatchObject({ status: 429, outcome: "refused" });
    expect(error.message).toContain("too many requests: try again later, in 3600 s at the earliest");
    expect([service.calls.length, clock.waits]).toEqual([1, []]);
  });

  test("releases the timer when its caller cancels it", async () => {
    await using service = await startService(json(429, {}, { "retry-after": "120" }));
    const cancel = new AbortController();
    const ended: string[] = [];
    const sleep = (_: number, signal: AbortSignal) =>
      new Promise<void>((resolve) => {
        signal.addEventListener("abort", () => resolve(void ended.push("timer")));
        cancel.abort();
      });
    const error = await failure(connect(service.url, { sleep }).tokens.list({ signal: cancel.signal }));
    expect(error.message).toContain("cancelled by the caller");
    expect(ended).toEqual(["timer"]);
  });
});

describe("a query that is refused", () => {
  const costLimit = { message: "query cost limit of the token is used up until 13:00" };
  const refuse = (wait: string, headers = {}) =>
    json(429, costLimit, { "retry-after": wait, "x-ratelimit-scope": "member", ...headers });
  /** A service that refuses queries and answers all other requests. */
  const startLimited = (wait: string) =>
    startService((response, request, socket) =>
      (request.call.includes("_apl") ? refuse(wait) : json(200, []))(response, request, socket),
    );

  test("holds other queries, and no other call of the same client", async () => {
    await using service = await startLimited("8");
    const lines: string[] = [];
    const sleeping = Promise.withResolvers<void>();
    const sleep = (_: number, signal: AbortSignal) => {
      sleeping.resolve();
      return new Promise<void>((_resolve, reject) => signal.addEventListener("abort", () => reject(signal.reason)));
    };
    const client = connect(service.url, { sleep, inform: (line) => lines.push(line) });
    const cancel = new AbortController();
    const queries = [1, 2].map(() => failure(client.queries.apl({ apl: "['web']" }, { signal: cancel.signal })));
    await sleeping.promise;
    expect(await client.tokens.list()).toEqual([]);
    cancel.abort();
    expect((await Promise.all(queries)).map(({ message }) => message)).toEqual(
      Array(2).fill("POST /v1/datasets/_apl: no response: cancelled by the caller"),
    );
    expect(lines).toEqual(["the rate limit of the service is used up: queries wait for 8 s"]);
  });

  test("fails at once if the wait is longer than its deadline, in the words of the service", async () => {
    await using service = await startLimited("8");
    const clock = new Clock();
    const options = { sleep: clock.sleep, now: clock.now, queryDeadline: "7s" };
    const client = connect(service.url, options);
    const { message } = await failure(client.queries.apl({ apl: "['web']" }));
    expect(message).toBe(
      'POST /v1/datasets/_apl: 429: the service says "query cost limit of the token is used up until 13:00"; ' +
        "a rate limit or query cost limit is used up: try again later, in 8 s at the earliest",
    );
    expect([service.calls.length, clock.waits]).toEqual([1, []]);
    expect(await client.tokens.list()).toEqual([]);
  });

  test("waits at most for its deadline, however often it is refused", async () => {
    await using service = await startLimited("40");
    const clock = new Clock();
    const client = connect(service.url, { sleep: clock.sleep, now: clock.now });
    await failure(client.queries.apl({ apl: "['web']" }));
    expect(clock.waits).toEqual([40_000, 40_000, 40_000]);
  });
});

test("the headers X-RateLimit-* of a 503 neither delay nor prevent its retry", async () => {
  const clock = new Clock();
  const headers = { "x-ratelimit-remaining": "0", "x-ratelimit-reset": String(clock.time / 1000 + 3600) };
  await using service = await startService(json(503, {}, headers), json(200, []));
  const client = connect(service.url, { sleep: clock.sleep, now: clock.now, random: () => 0.5 });
  expect(await client.tokens.list()).toEqual([]);
  expect(clock.waits).toEqual([125]);
});

test("a window that ends too late to wait for does not let all requests through at once", async () => {
  const clock = new Clock();
  const headers = {
    date: new Date(clock.time).toUTCString(),
    "x-ratelimit-limit": "1000",
    "x-ratelimit-remaining": "0",
    "x-ratelimit-reset": String(clock.time / 1000 + 3600),
  };
  await using service = await startService(json(200, [], headers));
  let [underWay, most] = [0, 0];
  const watch = () => {
    most = Math.max(most, ++underWay);
    return () => void underWay--;
  };
  const client = connect(service.url, { sleep: clock.sleep, now: clock.now, watch });
  await client.tokens.list();
  await Promise.all(Array.from({ length: 50 }, () => client.tokens.list()));
  expect(service.calls).toHaveLength(51);
  expect(most).toBeLessThanOrEqual(8);
});

test("windows whose ends differ by two seconds are two windows", () => {
  const window = new RateWindow();
  window.announce(5, 10_000, 0);
  expect(window.announce(3, 12_000, 3)).toBe(false);
});
