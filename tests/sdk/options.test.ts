import { describe, expect, jest, test } from "@jest/globals";
import { EventDatasets, type EventDatasetsOptions, type Settings } from "../../sdk";
import { accessToken, connect, failure } from "../support/client";
import { json, silence, startService } from "../support/service";

const minted = { id: "t1", name: "ci", token: "xaat-secret-of-t1" };

/** Options as a program without types can write them. */
const castOptions = (options: object): Partial<EventDatasetsOptions> => options;

describe("a callback or a timer that fails does not fail a call", () => {
  const limited = { "x-ratelimit-limit": "60", "x-ratelimit-remaining": "0", "x-ratelimit-reset": "1" };
  const fail = (): never => {
    throw new Error("callback");
  };

  test.each<[string, Partial<EventDatasetsOptions>]>([
    ["debug throws", { debug: fail }],
    ["watch throws before the call", { watch: fail }],
    ["watch throws after the call", { watch: () => fail }],
    ["inform throws", { inform: fail }],
    ["sleep throws", { sleep: fail }],
    ["sleep returns nothing", castOptions({ sleep: () => undefined })],
  ])("%s", async (_, options) => {
    await using service = await startService(
      json(429, {}, { "retry-after": "1" }),
      json(200, minted, limited),
      json(200, minted, limited),
      json(503, {}),
      json(200, minted),
    );
    await using client = connect(service.url, options);
    const creates = [client.tokens.create({ name: "ci" }), client.tokens.create({ name: "ci" })];
    expect(await Promise.all(creates)).toEqual([minted, minted]);
    const error = await client.tokens.get("t1").catch((e: unknown) => e);
    // A retry needs its wait, so a timer that fails ends it with the failure of the service.
    if (error instanceof Error) expect(error.message).toContain("503");
    else expect(error).toMatchObject({ id: "t1" });
    // More than the client sends at once, so each must have left the rate gate.
    const calls = Array.from({ length: 30 }, () => client.tokens.get("t1"));
    expect(await Promise.all(calls)).toHaveLength(30);
  });

  test("its first failure is warned of, without its text", async () => {
    using warn = jest.spyOn(process, "emitWarning").mockReturnValue();
    await using service = await startService(json(200, minted));
    await using client = connect(service.url, { debug: fail });
    for (let n = 0; n < 2; n++) await client.tokens.get("t1");
    expect(warn.mock.calls).toEqual([["the callback debug of EventDatasets failed; the call continued without it"]]);
  });

  test("not even if it fails later: its rejection is handled", async () => {
    const looked: string[] = [];
    const later = (name: string) => () => ({
      // biome-ignore lint/suspicious/noThenProperty: a promise of another library
      then: (_: unknown, reject: (reason: Error) => void) => {
        looked.push(name);
        reject(new Error("callback"));
      },
    });
    await using service = await startService(json(200, minted));
    await using client = connect(service.url, castOptions({ debug: later("debug"), watch: () => later("watch") }));
    expect(await client.tokens.create({ name: "ci" })).toEqual(minted);
    await new Promise((resolve) => setImmediate(resolve));
    expect(looked.sort()).toEqual(["debug", "watch"]);
  });
});

test.each([
  ["an object", {}],
  ["a text", "now"],
  ["a signal of another library", { aborted: false, addEventListener: () => undefined }],
])("%s in place of an AbortSignal fails its own call and no later one", async (_, value) => {
  await using service = await startService(json(200, minted));
  await using client = connect(service.url);
  const signal = value as AbortSignal;
  for (let n = 0; n < 30; n++)
    await expect(client.tokens.get("t1", { signal })).rejects.toThrow("signal must be an AbortSignal");
  expect(await client.tokens.get("t1")).toMatchObject({ id: "t1" });
});

const unkept = "option deadlines.call of EventDatasets must be a number of milliseconds from 1 to 3600000";

describe("an option that would have no effect, or a deadline that a timer cannot keep, is refused", () => {
  test.each<[object, string]>([
    ...[Number.POSITIVE_INFINITY, Number.NaN, 2 ** 31, 2 ** 33, 0, -1, "30"].map((call): [object, string] => [
      { deadlines: { call } },
      unkept,
    ]),
    [{ timeout: 5_000 }, "option timeout of EventDatasets does not exist"],
    [{ deadline: { call: 5_000 } }, 'option deadline of EventDatasets does not exist; did you mean "deadlines"?'],
    [{ deadlines: { calls: 5_000 } }, 'option deadlines.calls of EventDatasets does not exist; did you mean "call"?'],
    [{ deadlines: 5_000 }, "option deadlines of EventDatasets must be an object"],
    [{ deadlines: null }, "option deadlines of EventDatasets must be an object"],
    [{ accessToken: 5 }, "option accessToken of EventDatasets must be a string"],
    [{ orgId: {}, profile: "extended" }, "option orgId of EventDatasets must be a string"],
  ])("%p", (options, message) => {
    expect(() => connect("http://127.0.0.1:1", castOptions(options))).toThrow(message);
  });
});

test("an undefined option is treated as absent: the deadline of the settings then applies", async () => {
  await using service = await startService(silence);
  const settings: Settings = {
    baseUrl: service.url,
    accessToken,
    profile: "documented",
    requireExpiry: false,
    credentialFrom: "a test",
    callDeadline: 30,
  };
  const client = EventDatasets.fromSettings(settings, { deadlines: { call: undefined } });
  expect((await failure(client.tokens.create({ name: "ci" }))).message).toContain("within 0.03 s");
});

test.each([1, 3_600_000])("a deadline of %i ms is accepted", (call) => {
  expect(() => connect("http://127.0.0.1:1", { deadlines: { call } })).not.toThrow();
});

describe("close()", () => {
  test("lets calls under way finish, including those that wait for the rate limit", async () => {
    await using service = await startService(json(429, {}, { "retry-after": "1" }), json(200, minted));
    const [sleeping, waiting] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
    const sleep = () => {
      sleeping.resolve();
      return waiting.promise;
    };
    const client = connect(service.url, { sleep });
    const created = client.tokens.create({ name: "ci" });
    await sleeping.promise;
    const closed = client.close();
    waiting.resolve();
    expect(await created).toEqual(minted);
    await closed;
  });

  test("refuses later calls, and may be called again", async () => {
    await using service = await startService(json(200, minted));
    const client = connect(service.url);
    await client.tokens.get("t1");
    await Promise.all([client.close(), client.close()]);
    for (const call of [() => client.tokens.get("t1"), () => client.tokens.create({ name: "ci" })]) {
      const error = await failure(call());
      expect(error.message).toMatch(/: no response: this client was closed before the call$/);
      expect(error.outcome).toBe("not sent");
    }
    expect(service.calls).toHaveLength(1);
    await client.close();
  });
});
