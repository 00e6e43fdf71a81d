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

describe("an option that would have no effect, and one that cannot be used, is refused", () => {
  test.each<[object, string]>([
    [{ callDeadline: "30" }, "option callDeadline of EventDatasets must be a duration such as 45s"],
    [{ callDeadline: 30 }, "option callDeadline of EventDatasets must be a string"],
    [{ timeout: 5_000 }, "option timeout of EventDatasets is not known"],
    [{ callDeadlines: "5s" }, 'option callDeadlines of EventDatasets is not known; did you mean "callDeadline"?'],
    [{ requireExpiry: true }, "option requireExpiry of EventDatasets is not known"],
    [{ debug: true }, "option debug of EventDatasets must be a function"],
    [{ accessToken: 5 }, "option accessToken of EventDatasets must be a string"],
    [{ orgId: {}, profile: "extended" }, "option orgId of EventDatasets must be a string"],
  ])("%p", (options, message) => {
    expect(() => connect("http://127.0.0.1:1", castOptions(options))).toThrow(message);
  });
});

test("resolved settings have their deadlines in milliseconds, and go with callbacks only", async () => {
  await using service = await startService(silence);
  const settings: Settings = {
    baseUrl: service.url,
    accessToken,
    profile: "documented",
    requireExpiry: false,
    credentialFrom: "a test",
    callDeadline: 30,
  };
  const client = new EventDatasets({ settings });
  expect((await failure(client.tokens.create({ name: "ci" }))).message).toContain("within 0.03 s");
  const both = { settings, profile: "extended" };
  expect(() => new EventDatasets(both)).toThrow("option profile of EventDatasets is not known");
});

test.each(["1s", "1h"])("a deadline of %s is accepted", (callDeadline) => {
  expect(() => connect("http://127.0.0.1:1", { callDeadline })).not.toThrow();
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
