import { describe, expect, test } from "@jest/globals";
import { reset } from "../faults/behaviours";
import { FaultProxy, forwardTo } from "../faults/proxy";
import { connect, failure, refusedUrl } from "../support/client";
import { type Behaviour, findFreePort, hangUp, json, startService } from "../support/service";
import { stopTime, TestTime } from "../support/time";

const minted = { id: "t1", name: "ci", token: "xaat-secret-of-t1" };

describe("a create", () => {
  test.each<[string, Behaviour]>([
    ["loses its connection after its request arrived", hangUp],
    ["is answered with 500", json(500, { message: "broken" })],
    ["is answered with 503", json(503, {})],
    ["is answered with 408", json(408, {})],
    [
      "is answered with HTML",
      (response) => void response.writeHead(200, { "content-type": "text/html" }).end("<p>hi</p>"),
    ],
    [
      "is answered with half a body",
      (response) => void response.writeHead(200, { "content-type": "application/json" }).end('{"id":"t'),
    ],
    ["is answered without a secret", json(200, { id: "t1", name: "ci" })],
    ["is answered without an id", json(200, { name: "ci", token: "x" })],
    ["is answered with more than 16 MiB", json(200, { ...minted, description: "x".repeat(16 * 1024 * 1024) })],
  ])("that %s is not sent again and its outcome is unknown", async (_, behaviour) => {
    await using service = await startService(behaviour);
    const error = await failure(connect(service.url).tokens.create({ name: "ci" }));
    expect(error.outcome).toBe("unknown");
    expect(service.calls).toEqual(["POST /v2/tokens"]);
  });

  test("whose response has an id but no secret fails with the id in the error", async () => {
    await using service = await startService(json(200, { id: "t1", name: "ci" }));
    expect(await failure(connect(service.url).tokens.create({ name: "ci" }))).toMatchObject({ id: "t1", status: 200 });
  });

  test.each([400, 401, 403, 404, 409, 413, 422])(
    "that is refused with %i is final and had no effect",
    async (status) => {
      await using service = await startService(json(status, { message: "no such thing" }));
      const error = await failure(connect(service.url).tokens.create({ name: "ci" }));
      expect(error).toMatchObject({ status, outcome: "refused" });
      expect(error.message).toContain("no such thing");
      expect(service.calls).toHaveLength(1);
    },
  );

  test("that is refused with 429 is sent again, after the wait that the service asked for", async () => {
    const waits: number[] = [];
    await using service = await startService(json(429, {}, { "retry-after": "3" }), json(200, minted));
    // A stopped clock: with a real one, the time since the response would shorten the wait.
    const clock = { sleep: async (ms: number) => void waits.push(ms), now: () => Date.UTC(2026, 10, 22) };
    expect(await connect(service.url, clock).tokens.create({ name: "ci" })).toMatchObject({ id: "t1" });
    expect(waits).toEqual([3000]);
  });

  test("to a port where nothing listens is attempted three times, and nothing is sent", async () => {
    const waits: number[] = [];
    const client = connect(refusedUrl, { sleep: async (ms) => void waits.push(ms) });
    const error = await failure(client.tokens.create({ name: "ci" }));
    expect(error).toMatchObject({ outcome: "not sent", status: undefined });
    expect(error.message).toContain("ECONNREFUSED");
    expect(waits).toHaveLength(2);
  });

  test("to a host name that does not exist fails with that reason, and is not sent", async () => {
    const error = await failure(connect("https://no-such-host.invalid").tokens.create({ name: "ci" }));
    expect(error.outcome).toBe("not sent");
    expect(error.message).toMatch(/could not connect \((ENOTFOUND|EAI_AGAIN)\)/);
  });

  test("uses a new connection, never a kept-alive one", async () => {
    await using service = await startService(json(200, []), json(200, minted), json(200, minted), json(200, []));
    const client = connect(service.url);
    await client.tokens.list();
    await client.tokens.create({ name: "ci" });
    await client.tokens.create({ name: "ci" });
    await client.tokens.list();
    const [list, first, second, listAgain] = service.requests.map((r) => r.port);
    expect(new Set([list, first, second]).size).toBe(3);
    expect(listAgain).toBe(list);
  });
});

describe("a read", () => {
  test.each<[string, Behaviour]>([
    ["loses its connection", hangUp],
    ["is answered with 500", json(500, {})],
    ["is answered with 503", json(503, {})],
    ["is answered with 408", json(408, {})],
    ["is answered with 429", json(429, {})],
  ])("that %s is sent again", async (_, behaviour) => {
    await using service = await startService(behaviour, behaviour, json(200, []));
    expect(await connect(service.url).tokens.list()).toEqual([]);
    expect(service.calls).toHaveLength(3);
  });

  test("fails with the last failure after three attempts", async () => {
    await using service = await startService(json(503, { message: "maintenance" }));
    const error = await failure(connect(service.url).tokens.get("t1"));
    expect(error.message).toBe('GET /v2/tokens/t1: 503: the service says "maintenance"; the service failed');
    expect(service.calls).toHaveLength(3);
  });

  test.each<[string, Behaviour, RegExp]>([
    [
      "HTML",
      (response) => void response.writeHead(200, { "content-type": "text/html" }).end("<p>hi</p>"),
      /is not JSON/,
    ],
    ["an object instead of a list", json(200, {}), /the response: expected a list/],
  ])("that is answered with %s fails and names the field, never the value", async (_, behaviour, message) => {
    await using service = await startService(behaviour);
    const error = await failure(connect(service.url).tokens.list());
    expect(error.message).toMatch(message);
    expect(service.calls).toHaveLength(1);
  });

  describe("with simulated time", () => {
    stopTime();

    test("ends at its deadline even if the response keeps trickling in", async () => {
      const time = new TestTime();
      const drip: Behaviour = (response) => {
        response.writeHead(200, { "content-type": "application/json" });
        const drops = setInterval(() => response.write(" "), 200);
        response.on("close", () => clearInterval(drops));
      };
      await using service = await startService(time.hold(drip));
      const client = connect(service.url, { watch: time.watch });
      const error = await time.passDuring(failure(client.tokens.get("t1")));
      expect(error.message).toBe("GET /v2/tokens/t1: 200: no complete response within 30 s");
      expect(error.outcome).toBe("unknown");
    });
  });

  test("can be cancelled", async () => {
    const cancel = new AbortController();
    await using service = await startService(() => cancel.abort());
    const call = failure(connect(service.url).tokens.list({ signal: cancel.signal }));
    expect((await call).message).toContain("cancelled by the caller");
    expect(service.calls).toHaveLength(1);
  });

  test("never follows a redirect", async () => {
    await using service = await startService(json(302, {}, { location: "/elsewhere" }));
    expect((await failure(connect(service.url).tokens.list())).message).toContain("redirects are never followed");
    expect(service.calls).toEqual(["GET /v2/tokens"]);
  });
});

describe("a delete that may have been carried out has an unknown outcome", () => {
  test("even if its retries could not connect", async () => {
    const loses = { behaviour: reset, meets: () => true, times: 1 };
    await using proxy = await FaultProxy.start(forwardTo(refusedUrl), loses, await findFreePort());
    const client = connect(proxy.url, { profile: "extended", sleep: () => proxy.stop() });
    const error = await failure(client.tokens.delete("t1"));
    expect(error.message).toContain("ECONNREFUSED");
    expect(error.outcome).toBe("unknown");
  });

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

test("a call that is cancelled between two attempts says so", async () => {
  await using service = await startService(json(503, {}));
  const cancel = new AbortController();
  const sleep = async () => {
    cancel.abort();
    throw cancel.signal.reason;
  };
  const error = await failure(connect(service.url, { sleep }).tokens.list({ signal: cancel.signal }));
  expect(error.message).toContain("cancelled by the caller");
});

describe("a refusal of a retry", () => {
  const lateRefusal = [json(503, {}), json(403, { message: "no" })] as const;
  const idle = { profile: "extended", sleep: async () => undefined } as const;
  const time = { startTime: "a", endTime: "b" };

  test.each<[string, (client: ReturnType<typeof connect>) => Promise<unknown>]>([
    ["change", ({ annotations }) => annotations.update("a1", { title: "deployed" })],
    ["deletion of a token", ({ tokens }) => tokens.delete("t1")],
    ["deletion of an annotation", ({ annotations }) => annotations.delete("a1")],
  ])("leaves the outcome of a %s unknown: the first attempt may have been carried out", async (_, call) => {
    await using service = await startService(...lateRefusal);
    expect(await failure(call(connect(service.url, idle)))).toMatchObject({ status: 403, outcome: "unknown" });
  });

  test.each<[string, (client: ReturnType<typeof connect>) => Promise<unknown>]>([
    ["read", ({ tokens }) => tokens.get("t1")],
    ["list", ({ annotations }) => annotations.list()],
    ["query", ({ queries }) => queries.apl({ apl: "['web']", ...time })],
  ])("is the outcome of a %s, which changes nothing", async (_, call) => {
    await using service = await startService(...lateRefusal);
    expect(await failure(call(connect(service.url, idle)))).toMatchObject({ status: 403, outcome: "refused" });
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

test.each([{}, { "retry-after": "1" }, { "retry-after": "60" }])(
  "a storm of 429 with %j is amplified by less than a fifth",
  async (headers) => {
    await using service = await startService(json(429, {}, headers));
    const client = connect(service.url);
    for (let i = 0; i < 200; i++) await failure(client.tokens.get("t1"));
    expect(service.calls.length).toBeLessThan(240);
  },
);
