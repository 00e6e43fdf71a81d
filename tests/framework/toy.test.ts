import { afterEach, beforeEach, describe, expect, test } from "@jest/globals";
import { EngineLog } from "../../framework/engineLog";
import { Host } from "../../framework/host";
import { serve } from "../../framework/native/server";
import { storedProvider } from "../../framework/package";
import { join } from "../../framework/record";
import { type Command, type Form, outputOf, type Stack, secret, unknown } from "../../framework/testing";
import { connectPlugin, type PluginCalls } from "../../framework/testing/pluginCalls";
import { type CounterService, counter, password, stackOf, startCounterService } from "./counterService";
import { hosted, own, toy } from "./toy";

const stored = storedProvider(own, hosted.definition);
let service: CounterService;

beforeEach(async () => {
  service = await startCounterService();
});
afterEach(() => service[Symbol.asyncDispose]());

const home = { start: 3, label: "home" };
const up = (args: object, more: Partial<Command> = {}): Command => ({
  command: "up",
  program: { visits: counter(args) },
  ...more,
});

describe.each<Form>(["dynamic", "native"])("in the %s form", (form) => {
  let stack: Stack;
  beforeEach(() => {
    stack = stackOf(service, form);
  });
  const linesOf = ({ calls }: { readonly calls: readonly { hook: string; name: string }[] }) =>
    calls.map(({ hook }) => hook).join(" ");
  const outputs = () => stack.find("visits")?.outputs ?? {};

  test("a counter is created, compared, changed in place, replaced and deleted", async () => {
    expect(linesOf(await stack.run(up(home)))).toBe("check create");
    expect(outputs()).toMatchObject({
      key: "visits",
      ...home,
      secretKey: secret("key-of-c1"),
      record: { labelLength: 4, seen: true, version: 1 },
      ...(form === "dynamic" && { __provider: stored }),
    });
    // The dynamic form records it when it takes the object over.
    if (form === "native") expect(outputs()).not.toHaveProperty("__provider");
    expect((await stack.run(up(home))).found.visits).toEqual({ changes: false, replaces: [] });
    expect(linesOf(await stack.run(up({ ...home, label: "homes" })))).toBe("check diff update");
    expect(outputs()).toMatchObject({ label: "homes", secretKey: secret("key-of-c1"), record: { labelLength: 5 } });
    const replacing = await stack.run(up({ start: 4 }));
    expect(linesOf(replacing)).toBe("check diff check create delete");
    expect(replacing.found.visits).toEqual({ changes: true, replaces: ["start"] });
    await stack.run({ command: "destroy" });
    expect(service.calls).toEqual(["POST c1", "PUT c1", "POST c2", "DELETE c1", "DELETE c2"]);
  });

  test("a member of the record that can be told from a secret input is stored apart, encrypted", async () => {
    await stack.run(up({ start: 3, label: secret("home") }));
    expect(stack.find("visits")?.inputs).toMatchObject({ ...home, label: secret("home"), secretInputs: ["label"] });
    const split = { record: { seen: true, version: 1 }, secretRecord: secret({ labelLength: 4 }) };
    expect(outputs()).toMatchObject(split);
    expect(outputs().record).toEqual(split.record);
    // A hook sees one record again.
    await stack.run({ command: "refresh" });
    expect(outputs()).toMatchObject(split);
  });

  test("an input that becomes secret is a change: what is recorded in plain text is recorded anew", async () => {
    await stack.run(up(home));
    const { found } = await stack.run(up({ ...home, label: secret("home") }));
    expect(found.visits).toEqual({ changes: true, replaces: [] });
    expect(outputs()).toMatchObject({ secretRecord: secret({ labelLength: 4 }) });
  });

  test("in a refresh a change is what the read found", async () => {
    await stack.run(up(home));
    const refresh = async () => (await stack.run({ command: "refresh" })).found.visits;
    expect(await refresh()).toEqual({ changes: false, replaces: [] });
    service.counters.set("c1", { start: 4, label: "home" });
    expect(await refresh()).toEqual({ changes: true, replaces: [] });
    expect(stack.find("visits")?.inputs).toMatchObject({ start: 4 });
    expect(await refresh()).toEqual({ changes: false, replaces: [] });
    service.counters.clear();
    await refresh();
    expect(stack.resources).toEqual([]);
  });

  test("a label that the program removes is gone, and the next update finds nothing to change", async () => {
    for (const args of [home, { start: 3 }]) await stack.run(up(args));
    expect(outputs().label).toBeUndefined();
    expect((await stack.run(up({ start: 3 }))).found.visits).toEqual({ changes: false, replaces: [] });
  });

  test("a label that somebody removed is sent again after a refresh", async () => {
    await stack.run(up(home));
    service.counters.set("c1", { start: 3 });
    expect((await stack.run({ command: "refresh" })).found.visits?.changes).toBe(true);
    expect(stack.find("visits")?.inputs.label).toBeUndefined();
    await stack.run(up(home));
    expect(service.counters.get("c1")).toEqual(home);
  });

  test("a create whose response was lost is not sent again when the engine asks once more", async () => {
    service.losesResponses = true;
    const repeats = (failures: readonly string[]) => failures.length < 3;
    const { failures } = await stack.run({ command: "up", program: { visits: counter(home, { repeats }) } });
    expect(failures).toEqual(["no response: a counter may exist"]);
    expect(service.calls).toEqual(["POST c1"]);
  });

  test("outputs reach other resources; a preview does not know them, and replaces for an unknown input", async () => {
    const linked = (start: unknown) => ({
      first: counter({ start: 1, label: secret("one") }),
      second: counter({ start, label: outputOf("first", "secretKey") }),
    });
    const { calls, resources } = await stack.run({ command: "preview", program: linked(2) });
    expect(calls.map(({ hook, name }) => `${hook} ${name}`)).toEqual(["check first", "check second"]);
    const [first] = resources;
    if (form === "native") expect(first?.outputs.secretKey).toEqual(secret(unknown));
    expect([service.calls, stack.resources]).toEqual([[], []]);
    await stack.run({ command: "up" });
    expect([...service.counters.values()].map(({ label }) => label)).toEqual(["one", "key-of-c1"]);
    expect(stack.find("second")).toMatchObject({
      dependencies: ["first"],
      outputs: { label: secret("key-of-c1") },
    });
    const program = {
      first: linked(2).first,
      third: counter({ start: 5 }),
      second: linked(outputOf("third", "start")).second,
    };
    expect((await stack.run({ command: "preview", program })).found.second).toEqual({
      changes: true,
      replaces: ["start"],
    });
  });

  describe("after a policy pack changed inputs between check and diff", () => {
    const remediate = (remediated: object) => (_name: string, inputs: object) => ({ ...inputs, ...remediated });
    const replace = async (remediated: object, program: object = home) => {
      await stack.run(up(home));
      return await stack.run(up({ ...program, start: 9 }, { remediate: remediate(remediated) }));
    };

    test("a replacement that loses a change is refused, and names the input", async () => {
      const { failures } = await replace({ start: 4 });
      expect(failures).toEqual([expect.stringMatching(/^start was changed by a policy pack/)]);
    });

    test("a replacement that loses a change in place is accepted: the next update makes that change again", async () => {
      expect(await replace({ label: undefined })).toMatchObject({ failures: [], told: [] });
    });

    test("a replacement that loses nothing is accepted", async () => {
      expect(await replace({})).toMatchObject({ failures: [], told: [] });
    });

    test("an object that is kept is accepted, with a warning", async () => {
      await stack.run(up({ ...home, start: 4 }));
      const { failures, told } = await stack.run(up(home, { remediate: remediate({ start: 4 }) }));
      expect(failures).toEqual([]);
      const warning = "Counter c1: a policy pack changed start. A replacement will be refused";
      expect(told).toEqual([expect.stringContaining(warning)]);
    });

    test("an input that the engine ignores at first is no remediation", async () => {
      await stack.run(up(home));
      const program = { visits: counter({ start: 4, label: "ignored" }, { ignoreChanges: ["label"] }) };
      expect(await stack.run({ command: "up", program })).toMatchObject({ failures: [], told: [] });
    });
  });

  test("a required argument that is missing is named, and a wrong one, with the unknown ones left alone", async () => {
    for (const start of [undefined, null])
      expect((await stack.run(up({ start }))).failures).toEqual(["start is missing"]);
    const wrong = { start: "3", label: outputOf("other", "secretKey"), colour: "red" };
    const program = { other: counter({ start: 1 }), visits: counter(wrong) };
    expect((await stack.run({ command: "preview", program })).failures).toEqual([
      "colour is not known; the inputs are start, label; start must be a number",
    ]);
  });

  test("a state of an earlier version is migrated, and recorded in the present form", async () => {
    await stack.run(up(home));
    const before = { ...outputs(), record: { length: 4 } };
    stack.rewrite("visits", { outputs: before });
    await stack.run({ command: "refresh" });
    expect(outputs().record).toEqual({ labelLength: 4, seen: true, version: 1 });
    stack.rewrite("visits", { outputs: before });
    await stack.run(up({ ...home, label: "homes" }));
    expect(outputs().record).toEqual({ labelLength: 5, seen: true, version: 1 });
    stack.rewrite("visits", { outputs: { ...outputs(), record: { version: 2 } } });
    const { failures } = await stack.run({ command: "refresh" });
    expect(failures).toEqual([expect.stringContaining("a newer version of this provider recorded the state")]);
    // That of another provider, which an alias passes on, is of no version.
    expect(join(hosted.definition, { start: 1 })).toEqual({ start: 1, record: {} });
  });
});

test("a state that names another stored provider is recorded with this one: the SDK's host would go on with that", async () => {
  const stack = stackOf(service, "dynamic");
  await stack.run(up(home));
  const { outputs = {} } = stack.find("visits") ?? {};
  stack.rewrite("visits", { outputs: { ...outputs, __provider: "exports.handler = () => ({})" } });
  expect((await stack.run(up(home))).found.visits).toEqual({ changes: true, replaces: [] });
  expect(stack.find("visits")?.outputs.__provider).toBe(stored);
});

describe("as a plugin without an engine", () => {
  const urn = "urn:pulumi:dev::web::toy:index:Counter::visits";
  let plugin: PluginCalls;
  let stop: () => void;

  beforeEach(async () => {
    const served = await serve(toy, { name: "toy" }, undefined, new EngineLog(() => undefined));
    stop = served.stop;
    plugin = connectPlugin(served.port);
    await plugin.configure({ address: service.address, password });
  });

  afterEach(() => {
    plugin.close();
    stop();
  });

  test("it tells its schema", async () => {
    expect(await plugin.schema()).toEqual({ name: "toy" });
  });

  test("an import reads the object, and shows no hint among the inputs", async () => {
    service.counters.set("c1", { start: 7, label: "imported" });
    const { id, inputs, outputs } = await plugin.read(urn, "c1");
    expect([id, inputs]).toEqual(["c1", { start: 7, label: "imported" }]);
    expect(outputs).toMatchObject({ key: "visits", start: 7 });
    const { inputs: declared } = await plugin.check(urn, { start: 7, label: "imported" }, { olds: inputs });
    expect(await plugin.diff(urn, "c1", outputs, declared)).toMatchObject({ changes: false });
    await expect(plugin.diff(urn, "c1", outputs, { ...declared, start: 8 })).rejects.toThrow("is not imported");
  });
});

test("a limit beyond what a timer of Node.js keeps is not over at once", async () => {
  const tell = { warn: async () => undefined, inform: async () => undefined };
  const host = new Host(toy.connect, tell);
  host.configure({ get: (key) => `of ${key}` });
  const session = host.session("Counter", "visits");
  const limits = [25, 56].map((days) => session.timeout(days * 86_400_000));
  // A timer that is too long fires after a millisecond, so before this one.
  await session.sleep(20);
  expect(limits.map(({ aborted }) => aborted)).toEqual([false, false]);
});
