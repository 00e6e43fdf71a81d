import { expect, test } from "@jest/globals";
import type { RateLimitOptions } from "../../emulator";
import { call, start } from "./harness";

const midnight = Date.parse("2026-01-01T00:00:00Z");
/** A clock that stands still: all requests are in the same window. */
const now = () => new Date(midnight);

/** Asks at each of these seconds after midnight: the statuses, and how the last answer says when to come back. */
async function askAt(rateLimit: RateLimitOptions, seconds: readonly number[]) {
  let now = new Date(midnight);
  await using emulator = await start({ profile: "extended", now: () => now, rateLimit });
  const statuses: number[] = [];
  let last: Record<string, unknown> = {};
  for (const second of seconds) {
    now = new Date(midnight + second * 1000);
    const { status, headers } = await call(emulator.url, "GET /v2/tokens");
    statuses.push(status);
    last = headers;
  }
  const reset = Number(last["x-ratelimit-reset"]) - midnight / 1000;
  return { statuses, remaining: last["x-ratelimit-remaining"], reset, retryAfter: last["retry-after"] };
}

test("each fixed window accepts the full number at once", async () => {
  const { statuses, reset } = await askAt({ requests: 2 }, [50, 58, 59, 60, 61, 62, 119]);
  expect([statuses, reset]).toEqual([[200, 200, 429, 200, 200, 429, 429], 120]);
});

test("a sliding window accepts a request when the oldest one leaves it; refused requests do not count", async () => {
  const limit = { requests: 2, window: "sliding" } as const;
  const { statuses, reset, remaining } = await askAt(limit, [50, 58, 59, 60, 109, 110, 111, 118]);
  expect([statuses, reset, remaining]).toEqual([[200, 200, 429, 429, 429, 200, 429, 200], 170, "0"]);
});

test.each([
  [undefined, undefined],
  ["none", undefined],
  ["seconds", "7"],
  ["date", "Thu, 01 Jan 2026 00:00:10 GMT"],
] as const)("a refusal tells when to come back as %s", async (retryAfter, expected) => {
  const limit = { requests: 1, windowMs: 10_000, ...(retryAfter && { retryAfter }) };
  expect(await askAt(limit, [3, 3.5])).toMatchObject({ statuses: [200, 429], reset: 10, retryAfter: expected });
  expect(await askAt(limit, [3])).toMatchObject({ statuses: [200], retryAfter: undefined });
});

test("the documented profile has no limit; a test may set one, and responses have no headers for it", async () => {
  await using emulator = await start({ now, rateLimit: { requests: 1, retryAfter: "seconds" } });
  const told = async () => {
    const { status, headers } = await call(emulator.url, "GET /v2/tokens");
    return [status, Object.keys(headers).filter((name) => name.startsWith("x-") || name === "retry-after")];
  };
  expect(await told()).toEqual([200, []]);
  expect(await told()).toEqual([429, ["retry-after"]]);
});

test("the limit can be changed while the service runs, also over HTTP", async () => {
  await using emulator = await start({ faults: true, now });
  const statuses = async (times: number) => {
    const answers = [];
    for (let i = 0; i < times; i++) answers.push((await call(emulator.url, "GET /v2/tokens")).status);
    return answers;
  };
  emulator.limitRate({ requests: 1, windowMs: 86_400_000 });
  expect(await statuses(2)).toEqual([200, 429]);
  emulator.limitRate();
  expect(await statuses(2)).toEqual([200, 200]);
  const put = (body: object) => call(emulator.url, "PUT /_test/rate-limit", { body });
  expect((await put({ requests: 1, windowMs: 86_400_000, window: "sliding" })).status).toBe(204);
  expect(await statuses(2)).toEqual([200, 429]);
  emulator.limitRate();
  expect((await put({ requests: 0 })).body.message).toBe("requests: must be 1 or more");
  expect((await put({ requests: 1, window: "jumping" })).body.message).toBe("window: must be one of fixed, sliding");
  expect((await put({ windowMs: 1 })).body.message).toBe("requests: is required");
  expect((await put({})).status).toBe(204);
});

test("each response of the extended profile has a unique trace id, and responses of the documented one have none", async () => {
  await using extended = await start({ profile: "extended" });
  await using documented = await start();
  const traceOf = async (url: string, line: string) => (await call(url, line)).headers["x-axiom-trace-id"];
  const traces = [await traceOf(extended.url, "GET /v2/tokens"), await traceOf(extended.url, "GET /nowhere")];
  for (const trace of traces) expect(trace).toMatch(/^[0-9a-f]{32}$/);
  expect(new Set(traces).size).toBe(2);
  expect(await traceOf(documented.url, "GET /v2/tokens")).toBeUndefined();
});

test("a list of 100,000 tokens is complete, and the caller is found among them by a key", async () => {
  await using emulator = await start();
  const names = Array.from({ length: 100_000 }, (_, i) => ({ name: `token-${i}` }));
  await emulator.tokens.add(names);
  const made = await call(emulator.url, "POST /v2/tokens", {
    body: { name: "caller", orgCapabilities: { apiTokens: ["read"] } },
  });
  const { body } = await call(emulator.url, "GET /v2/tokens", { token: made.body.token });
  expect(body).toHaveLength(100_001);
  expect(body[99_999].name).toBe("token-99999");
});
