import { describe, expect, test } from "@jest/globals";
import { connect, failure } from "../support/client";
import { json, startService } from "../support/service";

test("a create whose response has an id but no secret fails with the id in the error", async () => {
  await using service = await startService(json(200, { id: "t1", name: "ci" }));
  expect(await failure(connect(service.url).tokens.create({ name: "ci" }))).toMatchObject({ id: "t1", status: 200 });
});

test("the message of a read has the last failure, or the form that was expected", async () => {
  await using service = await startService(json(503, { message: "maintenance" }));
  const error = await failure(connect(service.url).tokens.get("t1"));
  expect(error.message).toBe('GET /v2/tokens/t1: 503: the service says "maintenance"; the service failed');
  await using odd = await startService(json(200, {}));
  expect((await failure(connect(odd.url).tokens.list())).message).toContain("the response: expected a list");
});

describe("a delete that may have been carried out has an unknown outcome", () => {
  test.each([
    ["before it was sent", () => undefined],
    ["in the pause before it", (reason: unknown) => Promise.reject(reason)],
  ])("even if its retry was cancelled %s", async (_, end) => {
    await using service = await startService(json(503, {}));
    const cancel = new AbortController();
    const sleep = async () => {
      cancel.abort();
      await end(cancel.signal.reason);
    };
    const client = connect(service.url, { profile: "extended", sleep });
    const error = await failure(client.tokens.delete("t1", { signal: cancel.signal }));
    expect(error.message).toContain("cancelled by the caller");
    expect(error.outcome).toBe("unknown");
    expect(service.calls).toHaveLength(1);
  });
});

describe("a refusal of a retry", () => {
  const lateRefusal = [json(503, {}), json(403, { message: "no" })] as const;
  const idle = { profile: "extended", sleep: async () => undefined } as const;

  // The first attempt may have been carried out; a read changes nothing.
  test.each<[string, "unknown" | "refused", (client: ReturnType<typeof connect>) => Promise<unknown>]>([
    ["change", "unknown", ({ annotations }) => annotations.update("a1", { title: "deployed" })],
    ["deletion", "unknown", ({ tokens }) => tokens.delete("t1")],
    ["read", "refused", ({ tokens }) => tokens.get("t1")],
    ["query", "refused", ({ queries }) => queries.apl({ apl: "['web']", startTime: "a", endTime: "b" })],
  ])("of a %s leaves the outcome %s", async (_, outcome, call) => {
    await using service = await startService(...lateRefusal);
    expect(await failure(call(connect(service.url, idle)))).toMatchObject({ status: 403, outcome });
  });
});

describe("the wait that a failing service asks for", () => {
  const now = Date.parse("2026-11-21T12:00:00Z");
  const date = new Date(now).toUTCString();
  const soon = new Date(now + 7_000).toUTCString();

  test.each<[string, Record<string, string>, number]>([
    ["in seconds", { "retry-after": "3" }, 3_000],
    ["in seconds with a fraction", { "retry-after": "1.5" }, 1_500],
    ["until a date, by the clock of the service", { "retry-after": soon, date }, 7_000],
  ])("is honoured: %s", async (_, headers, wait) => {
    const waits: number[] = [];
    await using service = await startService(json(503, {}, headers), json(200, []));
    const sleep = async (ms: number) => void waits.push(ms);
    // This machine's clock is an hour slow.
    await connect(service.url, { sleep, now: () => now - 3_600_000 }).tokens.list();
    expect(waits).toEqual([wait]);
  });
});

test("a service that fails every request receives less than a fifth more requests than calls", async () => {
  await using service = await startService(json(503, {}));
  const client = connect(service.url);
  for (let i = 0; i < 200; i++) await failure(client.tokens.get("t1"));
  expect(service.calls.length).toBeLessThan(240);
});
