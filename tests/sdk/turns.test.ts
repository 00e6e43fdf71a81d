import { getEventListeners } from "node:events";
import { describe, expect, jest, test } from "@jest/globals";
import { RateGate } from "../../sdk/rateGate";
import { connect, failure } from "../support/client";
import { json, silence, startService } from "../support/service";
import { stopTime, TestTime } from "../support/suite";

stopTime();

test("a call whose turn does not come because the service is silent ends unsent, at its own deadline", async () => {
  const time = new TestTime();
  await using service = await startService(time.hold(silence));
  const client = connect(service.url, { watch: time.watch, callDeadline: "5s" });
  const creates = Array.from({ length: 64 }, () => failure(client.tokens.create({ name: "ci" })));
  const errors = await time.passDuring(Promise.all(creates));
  expect(service.calls).toHaveLength(8);
  const unsent = errors.filter(({ outcome }) => outcome === "not sent");
  expect(unsent).toHaveLength(56);
  expect(unsent[0]?.message).toContain(
    "not sent within 5 s, because the service has not responded to the calls before",
  );
});

test("a call removes its listener from its caller's signal, which can live as long as the process", async () => {
  await using service = await startService(json(200, []));
  const client = connect(service.url);
  const { signal } = new AbortController();
  const calls = Array.from({ length: 50 }, () => client.tokens.list({ signal }));
  expect(getEventListeners(signal, "abort")).toHaveLength(50);
  await Promise.all(calls);
  expect(getEventListeners(signal, "abort")).toEqual([]);
});

test("a signal ends all calls with it, under way or waiting, and no other call", async () => {
  const time = new TestTime();
  await using service = await startService(time.hold(silence));
  const client = connect(service.url, { watch: time.watch });
  const cancel = new AbortController();
  const ended = Array.from({ length: 20 }, () => failure(client.tokens.list({ signal: cancel.signal })));
  const other = failure(client.tokens.list({ signal: new AbortController().signal }));
  cancel.abort();
  for (const { message } of await Promise.all(ended)) expect(message).toContain("cancelled by the caller");
  expect((await time.passDuring(other)).message).toContain("no complete response within 120 s");
});

describe("a request that waits for its turn", () => {
  const passed = { status: 200, headers: {} };

  /** A gate in which as many requests are under way as may be. */
  async function fillGate() {
    const sleep = (ms: number) => new Promise<void>((resolve) => void setTimeout(resolve, ms));
    const gate = new RateGate({ sleep, now: Date.now });
    return { gate, underWay: await Promise.all(Array.from({ length: 8 }, () => gate.enter(undefined))) };
  }

  /** The end of a wait of at most five seconds. */
  function wait(gate: RateGate) {
    const ends: string[] = [];
    gate.enter(undefined, 5_000).then(
      () => ends.push("its turn"),
      () => ends.push("gave up"),
    );
    return async (seconds: number) => {
      await jest.advanceTimersByTimeAsync(seconds * 1_000);
      return ends.join();
    };
  }

  test("gives up after its deadline without a response to any other, and counts anew from each response", async () => {
    const { gate, underWay } = await fillGate();
    const first = wait(gate);
    const second = wait(gate);
    await jest.advanceTimersByTimeAsync(3_000);
    gate.leave(underWay[0] as (typeof underWay)[0], passed);
    expect(await Promise.all([first(0), second(0)])).toEqual(["its turn", ""]);
    expect(await second(4)).toBe("");
    const third = wait(gate);
    expect(await second(0.9)).toBe("");
    expect(await second(0.2)).toBe("gave up");
    expect(await third(0)).toBe("");
  });

  test("waits as long as the service asks for", async () => {
    const { gate, underWay } = await fillGate();
    const waiting = wait(gate);
    gate.leave(underWay[0] as (typeof underWay)[0], { status: 429, headers: { "retry-after": "60" } });
    expect(await waiting(59)).toBe("");
    expect(await waiting(4)).toBe("");
    for (const pass of underWay.slice(1)) gate.leave(pass, undefined);
    expect(await waiting(0)).toBe("its turn");
  });
});
