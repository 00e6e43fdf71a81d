import { describe, expect, test } from "@jest/globals";
import { connect, failure } from "../support/client";
import { hangUp, json, startService } from "../support/service";

describe("a read", () => {
  test("fails with the last failure after three attempts", async () => {
    await using service = await startService(json(503, { message: "maintenance" }));
    const error = await failure(connect(service.url).tokens.get("t1"));
    expect(error.message).toBe('GET /v2/tokens/t1: 503: the service says "maintenance"; the service failed');
    expect(service.calls).toHaveLength(3);
  });

  test("that is answered with an object instead of a list fails, and says so", async () => {
    await using service = await startService(json(200, {}));
    expect((await failure(connect(service.url).tokens.list())).message).toContain("the response: expected a list");
  });
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

test("a service that fails every request receives less than a fifth more requests than calls", async () => {
  await using service = await startService(json(503, {}));
  const client = connect(service.url);
  for (let i = 0; i < 200; i++) await failure(client.tokens.get("t1"));
  expect(service.calls.length).toBeLessThan(240);
});

test("of 2,000 calls at once none fails where every thirtieth connection breaks", async () => {
  let requests = 0;
  const answer = json(200, []);
  await using service = await startService((...args) => (requests++ % 30 === 7 ? hangUp : answer)(...args));
  const client = connect(service.url, { sleep: async () => undefined });
  const calls = Array.from({ length: 2_000 }, () => client.tokens.list());
  const results = await Promise.allSettled(calls);
  expect(results.filter(({ status }) => status === "rejected")).toHaveLength(0);
});
