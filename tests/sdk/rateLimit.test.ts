import { describe, expect, test } from "@jest/globals";
import { connect, failure } from "../support/client";
import { type Behaviour, json, type ScriptedService, startService } from "../support/service";

/** A clock that only waits advance, so that minutes pass at once, but not before all requests under way have returned. */
class Clock {
  time = Date.parse("2026-11-21T12:00:00Z");
  readonly waits: number[] = [];
  #underWay = 0;
  readonly now = () => this.time;
  /** For the client: counts its requests that are under way. */
  readonly watch = () => {
    this.#underWay += 1;
    return () => {
      this.#underWay -= 1;
    };
  };
  readonly sleep = async (ms: number, signal: AbortSignal) => {
    do await new Promise((resolve) => setImmediate(resolve));
    while (this.#underWay > 0);
    signal.throwIfAborted();
    this.waits.push(ms);
    this.time += ms;
  };
}

interface Limit {
  readonly perWindow: number;
  /** Length of a window in milliseconds. */
  readonly window: number;
  readonly headers: "rate limit" | "retry after" | "none";
}

let minted = 0;

/** Mints a limited number of tokens in each window of the clock. */
function respondWithinLimit({ perWindow, window, headers }: Limit, clock: Clock): Behaviour {
  let current = -1;
  let used = 0;
  return (response, request, socket) => {
    const index = Math.floor(clock.time / window);
    if (index !== current) [current, used] = [index, 0];
    const reset = Math.ceil(((index + 1) * window) / 1000);
    const left = Math.max(0, perWindow - ++used);
    response.setHeader("date", new Date(clock.time).toUTCString());
    const shown = {
      "rate limit": {
        "x-ratelimit-limit": String(perWindow),
        "x-ratelimit-remaining": String(left),
        "x-ratelimit-reset": String(reset),
      },
      "retry after":
        used > perWindow ? { "retry-after": String(Math.ceil(((index + 1) * window - clock.time) / 1000)) } : {},
      none: {},
    }[headers] as Record<string, string>;
    const body = { id: `t${++minted}`, name: "ci", token: "xaat-1" };
    return json(used > perWindow ? 429 : 200, used > perWindow ? { message: "rate limit exceeded" } : body, shown)(
      response,
      request,
      socket,
    );
  };
}

/** Creates tokens, several at the same time, as the engine does. */
async function createTokens(service: ScriptedService, clock: Clock, count: number, atOnce: number) {
  const lines: string[] = [];
  const client = connect(service.url, {
    sleep: clock.sleep,
    now: clock.now,
    inform: (line) => lines.push(line),
    watch: clock.watch,
  });
  let next = 0;
  const worker = async () => {
    while (next++ < count) await client.tokens.create({ name: "ci" });
  };
  await Promise.all(Array.from({ length: atOnce }, worker));
  return { lines, waited: clock.waits.reduce((sum, ms) => sum + ms, 0) };
}

describe("all creates succeed within the rate limit, with few refusals", () => {
  test.each<[string, Limit, number, number, number]>([
    ["60 a minute, 16 at once", { perWindow: 60, window: 60_000, headers: "rate limit" }, 16, 105, 2],
    ["60 a minute, all at once", { perWindow: 60, window: 60_000, headers: "rate limit" }, 100, 105, 2],
    ["60 a minute, one after another", { perWindow: 60, window: 60_000, headers: "rate limit" }, 1, 101, 2],
    ["5 in two seconds", { perWindow: 5, window: 2_000, headers: "rate limit" }, 16, 105, 20],
    ["60 a minute, announced only in refusals", { perWindow: 60, window: 60_000, headers: "retry after" }, 16, 120, 2],
    ["60 a minute, never announced", { perWindow: 60, window: 60_000, headers: "none" }, 16, 125, 4],
  ])("%s", async (_, limit, atOnce, requests, windows) => {
    const clock = new Clock();
    await using service = await startService(respondWithinLimit(limit, clock));
    const { waited } = await createTokens(service, clock, 100, atOnce);
    expect(service.calls.length).toBeGreaterThanOrEqual(100);
    expect(service.calls.length).toBeLessThanOrEqual(requests);
    expect(waited).toBeLessThanOrEqual(windows * limit.window);
  });
});

test("the user sees one line per pause, no matter how many requests wait", async () => {
  const clock = new Clock();
  const limit: Limit = { perWindow: 60, window: 60_000, headers: "rate limit" };
  await using service = await startService(respondWithinLimit(limit, clock));
  const { lines } = await createTokens(service, clock, 100, 16);
  expect(lines).toEqual(["the rate limit of the service is used up: requests wait for 60 s"]);
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
