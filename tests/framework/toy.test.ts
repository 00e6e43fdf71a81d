import { afterEach, beforeEach, describe, expect, test } from "@jest/globals";
import type { dynamic } from "@pulumi/pulumi";
import { dynamicForm } from "../../framework/dynamic/adapter";
import { EngineLog } from "../../framework/engineLog";
import { secretSignature, signatureKey, unknownText } from "../../framework/engineValues";
import { Host } from "../../framework/host";
import { serve } from "../../framework/native/server";
import { storedProvider } from "../../framework/package";
import { join } from "../../framework/record";
import { type Calls, connectTo } from "../native/plugin";
import { type CounterService, openToy, startCounterService } from "./counterService";
import { hosted, own, toy } from "./toy";

const secret = (value: unknown) => ({ [signatureKey]: secretSignature, value });
const urn = "urn:pulumi:dev::web::toy:index:Counter::visits";
const stored = storedProvider(own, hosted.definition);

let service: CounterService;
let warnings: string[];

beforeEach(async () => {
  service = await startCounterService();
  warnings = [];
});
afterEach(() => service[Symbol.asyncDispose]());

const tell = { warn: async (line: string) => void warnings.push(line), inform: async () => undefined };

describe("as a dynamic provider", () => {
  let provider: Required<dynamic.ResourceProvider>;
  const declared = { key: "visits", start: 3, label: "home", __provider: stored };

  beforeEach(() => {
    provider = dynamicForm(toy.connect, hosted, openToy(service, tell));
  });

  test("a counter is created, compared, changed in place, replaced and deleted", async () => {
    const { inputs, failures } = await provider.check({}, declared);
    expect(failures).toEqual([]);
    const { id, outs } = await provider.create({ ...inputs, __provider: stored });
    expect(outs).toEqual({
      ...{ key: "visits", start: 3, label: "home" },
      secretKey: secret("key-of-c1"),
      record: { labelLength: 4, seen: true, version: 1 },
    });
    const state: { [name: string]: unknown } = { ...outs, secretKey: "key-of-c1", __provider: stored };
    expect(await provider.diff(id, state, declared)).toEqual({ changes: false, replaces: [] });
    // The SDK's host would go on reading and deleting with the provider in the outputs.
    const foreign = { ...state, __provider: "exports.handler = () => ({})" };
    expect(await provider.diff(id, foreign, declared)).toEqual({ changes: true, replaces: [] });
    expect(await provider.diff(id, state, { ...declared, start: 4 })).toEqual({ changes: true, replaces: ["start"] });
    const { outs: next } = await provider.update(id, state, { ...declared, label: "homes" });
    expect(next).toMatchObject({ label: "homes", secretKey: secret("key-of-c1"), record: { labelLength: 5 } });
    // A process does not delete what it has created.
    await provider.delete(id, state);
    expect(service.counters.size).toBe(1);
    await dynamicForm(toy.connect, hosted, openToy(service, tell)).delete?.(id, state);
    expect(service.counters.size).toBe(0);
  });

  test("a member of the record that can be told from a secret input is stored apart, encrypted", async () => {
    const { id, outs } = await provider.create({ ...declared, secretInputs: ["label"] });
    expect(outs).toMatchObject({ record: { seen: true, version: 1 }, secretRecord: secret({ labelLength: 4 }) });
    expect(Object.keys(outs.record)).toEqual(["seen", "version"]);
    // The host hands secrets back in plain, and the lifecycle sees one record again.
    const state = { ...outs, secretKey: "key-of-c1", label: "home", secretRecord: { labelLength: 4 } };
    const read = await provider.read(id, state);
    expect(read.props).toMatchObject({ secretRecord: secret({ labelLength: 4 }) });
  });

  test("an input that becomes secret is a change: what is recorded in plain text is recorded anew", async () => {
    const { id, outs } = await provider.create(declared);
    const news = { ...declared, secretInputs: ["label"] };
    await provider.check(declared, news);
    expect(await provider.diff(id, outs, news)).toMatchObject({ changes: true, replaces: [] });
  });

  test("before a check, as in a refresh, a change is what the read found, or an input that is not known yet", async () => {
    const { id, outs } = await provider.create(declared);
    const stored = { ...outs, secretKey: "key-of-c1" };
    expect((await provider.read(id, stored)).inputs).toBeUndefined();
    expect(await provider.diff(id, stored, { ...declared, start: 4 })).toEqual({ changes: false, replaces: [] });
    service.counters.set(id, { start: 4, label: "home" });
    expect((await provider.read(id, stored)).inputs).toEqual({ key: "visits", start: 4, label: "home" });
    expect(await provider.diff(id, stored, declared)).toEqual({ changes: true, replaces: [] });
    service.counters.set(id, { start: 3, label: "home" });
    await provider.read(id, stored);
    expect(await provider.diff(id, stored, declared)).toEqual({ changes: false, replaces: [] });
    // A lookup has nothing recorded that could have changed.
    expect((await provider.read(id, { key: "look" })).inputs).toBeDefined();
    expect(await provider.diff(id, stored, declared)).toEqual({ changes: false, replaces: [] });
    const another = await provider.create({ ...declared, key: "other" });
    const news = { ...declared, key: "other", label: unknownText };
    expect(await provider.diff(another.id, another.outs, news)).toEqual({ changes: true, replaces: [] });
  });

  test("a create whose response was lost is not sent again when the engine asks once more", async () => {
    service.losesResponses = true;
    await expect(provider.create(declared)).rejects.toThrow("a counter may exist");
    await expect(provider.create(declared)).rejects.toThrow("a counter may exist");
    expect(service.counters.size).toBe(1);
  });

  describe("after a policy pack changed inputs between check and diff", () => {
    const replace = async (program: object, remediated: object) => {
      const { inputs, outs, id } = await createOne(program);
      await provider.check(inputs, program);
      await provider.diff(id, outs, { ...inputs, ...remediated });
      const { failures } = await provider.check({}, program);
      return failures?.map(({ reason }) => reason.split(" ")[0]);
    };
    const createOne = async (program: object) => {
      const { inputs } = await provider.check({}, program);
      return { inputs, ...(await provider.create({ ...inputs, __provider: stored })) };
    };

    test("a replacement that loses a change is refused, and names the input", async () => {
      expect(await replace(declared, { start: 4 })).toEqual(["start"]);
    });

    test("a replacement that loses a change in place is accepted: the next update makes that change again", async () => {
      expect(await replace(declared, { label: undefined })).toEqual([]);
      expect(warnings).toEqual([]);
    });

    test("a replacement that loses nothing is accepted", async () => {
      expect(await replace(declared, {})).toEqual([]);
      expect(await replace({ ...declared, label: unknownText }, { label: "known" })).toEqual([]);
    });

    test("an object that is kept is accepted, with a warning", async () => {
      const { inputs, outs, id } = await createOne({ ...declared, start: 4 });
      for (const _ of ["first", "second"]) {
        expect((await provider.check(inputs, declared)).failures).toEqual([]);
        await provider.diff(id, outs, { ...inputs, start: 4 });
      }
      expect(warnings).toEqual([
        expect.stringContaining("Counter c1: a policy pack changed start. A replacement will be refused"),
      ]);
    });

    test("an input that the engine ignores at first is no remediation", async () => {
      const { inputs, outs, id } = await createOne(declared);
      const ignored = { ...declared, label: "ignored" };
      const { inputs: copied } = await provider.check(inputs, declared);
      await provider.diff(id, outs, copied);
      expect((await provider.check({}, ignored)).failures).toEqual([]);
      expect(warnings).toEqual([]);
    });
  });

  test("a required argument that is missing is named", async () => {
    for (const start of [undefined, null]) {
      const { failures } = await provider.check({}, { ...declared, start });
      expect(failures?.map(({ reason }) => reason)).toEqual(["start is missing"]);
    }
  });

  test("a wrong input is named, with the unknown ones left alone", async () => {
    const { failures } = await provider.check({}, { ...declared, start: "3", label: unknownText, colour: "red" });
    expect(failures?.map(({ reason }) => reason)).toEqual([
      "start must be a number",
      "colour is not known; the inputs are start, label",
    ]);
  });
});

test("a state of an earlier version is migrated, and recorded in the present form", async () => {
  const provider = dynamicForm(toy.connect, hosted, openToy(service, tell));
  const { id, outs } = await provider.create({ key: "visits", start: 3, label: "home", __provider: stored });
  const before = { ...outs, secretKey: "key-of-c1", record: { length: 4 } };
  const { props } = await provider.read(id, before);
  expect(props.record).toEqual({ labelLength: 4, seen: true, version: 1 });
  const { outs: next } = await provider.update(id, before, { key: "visits", start: 3, label: "homes" });
  expect(next.record).toEqual({ labelLength: 5, seen: true, version: 1 });
  const newer = { ...before, record: { ...next.record, version: 2 } };
  await expect(provider.read(id, newer)).rejects.toThrow("a newer version of this provider recorded the state");
  // That of another provider, which an alias passes on, is of no version.
  expect(join(hosted.definition, { start: 1 })).toEqual({ start: 1, record: {} });
});

describe("as a plugin", () => {
  let plugin: Calls;
  let stop: () => void;

  beforeEach(async () => {
    const log = new EngineLog(() => undefined);
    const served = await serve(toy, { name: "toy" }, undefined, log, openToy(service, tell));
    stop = served.stop;
    plugin = connectTo(served.port);
  });

  afterEach(() => {
    plugin.close();
    stop();
  });

  test("the same definition and lifecycle make a plugin: the key comes from the URN, secrets from the wire", async () => {
    expect(await plugin.schema()).toEqual({ name: "toy" });
    const { inputs, reasons } = await plugin.check(urn, { start: 3, label: secret("home") });
    expect(reasons).toEqual([]);
    expect(inputs).toEqual({ start: 3, label: secret("home"), key: "visits", secretInputs: ["label"] });
    const created = await plugin.create(urn, inputs);
    expect(created).toMatchObject({
      id: "c1",
      outputs: { secretKey: secret("key-of-c1"), secretRecord: secret({ labelLength: 4 }), __provider: stored },
    });
  });

  test("a preview does not know computed outputs, and replaces for an unknown input only once a check has run", async () => {
    const { inputs } = await plugin.check(urn, { start: unknownText, label: "home" });
    expect(await plugin.create(urn, inputs, true)).toMatchObject({ outputs: { secretKey: unknownSecret } });
    const record = { labelLength: 4, seen: true, version: 1 };
    const known = { key: "visits", start: 3, label: "home", secretKey: "key-of-c1", record };
    expect(await plugin.diff(urn, "c1", known, inputs, known)).toMatchObject({ replaces: ["start"] });
    const other = "urn:pulumi:dev::web::toy:index:Counter::other";
    expect(await plugin.diff(other, "c2", known, { ...inputs, key: "other" }, known)).toMatchObject({ replaces: [] });
    const renamed = await plugin.update(urn, "c1", known, { ...known, label: "homes" }, true, known);
    expect(renamed).toMatchObject({ secretKey: secret("key-of-c1"), label: "homes" });
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

/** A secret that a preview does not know. */
const unknownSecret = secret(unknownText);

test("a limit beyond what a timer of Node.js keeps is not over at once", async () => {
  const session = new Host(toy.connect, tell).session("Counter", "visits");
  const limits = [25, 56].map((days) => session.timeout(days * 86_400_000));
  // A timer that is too long fires after a millisecond, so before this one.
  await session.sleep(20);
  expect(limits.map(({ aborted }) => aborted)).toEqual([false, false]);
});
