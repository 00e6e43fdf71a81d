import { describe, expect, test } from "@jest/globals";
import { EventDatasets, type EventDatasetsOptions } from "../../sdk";
import { accessToken, connect, failure } from "../support/client";
import { json, silence, startService } from "../support/service";

const minted = { id: "t1", name: "ci", token: "xaat-secret-of-t1" };

/** Options as a program without types can write them. */
const untyped = (options: object): Partial<EventDatasetsOptions> => options;

describe("a deadline that no timer can keep is refused when the client is constructed", () => {
  test.each([Number.POSITIVE_INFINITY, Number.NaN, 2 ** 31, 2 ** 32 - 1, 2 ** 33, 0, -1, "30"])("%p", (call) => {
    expect(() => connect("http://127.0.0.1:1", untyped({ deadlines: { call } }))).toThrow(
      "option deadlines.call of EventDatasets must be a number of milliseconds from 1 to 3600000",
    );
  });

  test("together with everything else that is wrong", () => {
    const options = untyped({ baseUrl: "", accessToken, deadlines: { query: Number.NaN }, debug: "yes" });
    expect(() => new EventDatasets(options as EventDatasetsOptions)).toThrow(
      "baseUrl is missing: set option baseUrl of EventDatasets; " +
        "option deadlines.query of EventDatasets must be a number of milliseconds from 1 to 3600000; " +
        "option debug of EventDatasets must be a function",
    );
  });

  test("and so is one for a kind of call that does not exist", () => {
    expect(() => connect("http://127.0.0.1:1", untyped({ deadlines: { calls: 30_000 } }))).toThrow(
      'option deadlines.calls of EventDatasets does not exist; did you mean "call"?',
    );
  });

  test("while those at both ends are taken", async () => {
    await using service = await startService(json(200, []));
    expect(await connect(service.url, { deadlines: { list: 3_600_000, call: 1 } }).tokens.list()).toEqual([]);
  });
});

describe("a callback that fails changes nothing about a call", () => {
  const fail = (): never => {
    throw new Error("callback");
  };

  test.each<[string, Partial<EventDatasetsOptions>]>([
    ["debug", { debug: fail }],
    ["watch, before the call", { watch: fail }],
    ["watch, after the call", { watch: () => fail }],
    ["inform", { inform: fail }],
  ])("%s", async (_, options) => {
    const limited = json(429, {}, { "retry-after": "2" });
    await using service = await startService(limited, json(200, minted));
    await using client = connect(service.url, options);
    expect(await client.tokens.create({ name: "ci" })).toEqual(minted);
    // More than the client sends at once: each has left the rate limit's gate.
    const calls = Array.from({ length: 30 }, () => client.tokens.get("t1"));
    expect(await Promise.all(calls)).toHaveLength(30);
  });

  test("also one that fails later: its promise is looked after", async () => {
    const looked: string[] = [];
    const later = (name: string) => () => ({
      // biome-ignore lint/suspicious/noThenProperty: a promise of another library
      then: (_: unknown, reject: (reason: Error) => void) => {
        looked.push(name);
        reject(new Error("callback"));
      },
    });
    await using service = await startService(json(200, minted));
    await using client = connect(service.url, untyped({ debug: later("debug"), watch: () => later("watch") }));
    expect(await client.tokens.create({ name: "ci" })).toEqual(minted);
    await new Promise((resolve) => setImmediate(resolve));
    expect(looked.sort()).toEqual(["debug", "watch"]);
  });
});

test("a signal that is none fails its own call, and none of those that follow", async () => {
  await using service = await startService(json(200, minted));
  await using client = connect(service.url);
  for (let n = 0; n < 30; n++) {
    const signal = {} as AbortSignal;
    await expect(client.tokens.get("t1", { signal })).rejects.toThrow("signal must be an AbortSignal");
  }
  expect(await client.tokens.get("t1")).toMatchObject({ id: "t1" });
});

describe("close()", () => {
  test("lets calls under way finish, those that wait for the rate limit among them", async () => {
    await using service = await startService(json(429, {}, { "retry-after": "1" }), json(200, minted));
    let goOn = () => {};
    const waiting = new Promise<void>((resolve) => {
      goOn = resolve;
    });
    let asleep = () => {};
    const sleeping = new Promise<void>((resolve) => {
      asleep = resolve;
    });
    const client = connect(service.url, {
      sleep: () => {
        asleep();
        return waiting;
      },
    });
    const created = client.tokens.create({ name: "ci" });
    await sleeping;
    const closed = client.close();
    goOn();
    expect(await created).toEqual(minted);
    await closed;
  });

  test("refuses calls that come after it, and may be called again", async () => {
    await using service = await startService(json(200, minted));
    const client = connect(service.url);
    await client.tokens.get("t1");
    await Promise.all([client.close(), client.close()]);
    for (const call of [() => client.tokens.get("t1"), () => client.tokens.create({ name: "ci" })]) {
      const error = await failure(call());
      expect(error.message).toMatch(/: no answer: this client was closed before the call$/);
      expect(error.outcome).toBe("not sent");
    }
    expect(service.calls).toHaveLength(1);
    await client.close();
  });

  test("also ends where a call never got an answer", async () => {
    await using service = await startService(silence);
    const client = connect(service.url, { deadlines: { call: 50 } });
    const call = failure(client.tokens.create({ name: "ci" }));
    await client.close();
    expect((await call).outcome).toBe("unknown");
  });
});
