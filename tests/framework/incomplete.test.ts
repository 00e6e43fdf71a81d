import { afterEach, beforeEach, describe, expect, test } from "@jest/globals";
import { dynamicForm } from "../../framework/dynamic/adapter";
import { EngineLog } from "../../framework/engineLog";
import { secretSignature, signatureKey } from "../../framework/engineValues";
import { serve } from "../../framework/native/server";
import { storedProvider } from "../../framework/package";
import { connectTo, type Failure } from "../native/plugin";
import { type CounterService, openToy, startCounterService } from "./counterService";
import { hosted, own, toy } from "./toy";

const secret = (value: unknown) => ({ [signatureKey]: secretSignature, value });
const urn = "urn:pulumi:dev::web::toy:index:Counter::visits";
const stored = storedProvider(own, hosted.definition);
const declared = { key: "visits", start: 3, label: "home", __provider: stored };

let service: CounterService;
let warnings: string[];

beforeEach(async () => {
  service = await startCounterService();
  service.keepsKeys = true;
  warnings = [];
});
afterEach(() => service[Symbol.asyncDispose]());

const tell = { warn: async (line: string) => void warnings.push(line), inform: async () => undefined };

describe("of an object that a failed create left behind, as a dynamic provider", () => {
  const open = () => dynamicForm(toy.connect, hosted, openToy(service, tell));
  const words = "the key of c1 never arrived";
  const advice = `${words}. To repeat the create does not help: let the hook onError return false for it.`;
  type Kept = Error & { readonly id: string; readonly properties: { readonly [name: string]: unknown } };
  const fail = (call: Promise<unknown>) =>
    call.then(
      () => undefined,
      (failure: Kept) => failure,
    ) as Promise<Kept>;
  const create = async () => {
    const provider = open();
    const { inputs } = await provider.check({}, declared);
    return { provider, inputs: { ...inputs, __provider: stored }, kept: await fail(provider.create(inputs)) };
  };

  test("the state says why, and an update fails as the create did, before any request, with the same id and properties", async () => {
    const { provider, inputs, kept } = await create();
    expect(kept).toMatchObject({ message: words, id: "c1", properties: { start: 3, incomplete: words } });
    const calls = [...service.calls];
    for (const _ of ["first", "second"]) {
      const failure = await fail(provider.update("c1", { ...kept.properties, __provider: stored }, inputs));
      expect(failure).toMatchObject({ message: advice, id: "c1" });
      expect(failure.properties).toEqual({ ...kept.properties, __provider: stored });
    }
    // An older engine repeats the create instead.
    expect(await fail(provider.create(inputs))).toMatchObject({ message: advice, id: "c1" });
    expect(service.calls).toEqual(calls);
  });

  test("a read looks up nothing and keeps the mark, a diff replaces the object, and it can be deleted", async () => {
    const { inputs, kept } = await create();
    const calls = [...service.calls];
    const state = { ...kept.properties, __provider: stored };
    const later = open();
    expect(await later.read("c1", state)).toEqual({ id: "c1", props: state });
    expect(warnings).toEqual([expect.stringMatching(/^Counter c1 is not complete, .*replaces it.* never arrived$/)]);
    expect(await later.diff("c1", state, inputs)).toEqual({ changes: false, replaces: [] });
    await later.check(inputs, declared);
    expect(await later.diff("c1", state, inputs)).toEqual({ changes: true, replaces: ["incomplete"] });
    expect(service.calls).toEqual(calls);
    await later.delete("c1", state);
    expect(service.counters.size).toBe(0);
  });
});

test("an object that a failed create left behind stays one: an update fails, a read keeps it, a diff replaces it", async () => {
  const log = new EngineLog(() => undefined);
  const served = await serve(toy, { name: "toy" }, undefined, log, openToy(service, tell));
  const plugin = connectTo(served.port);
  const { inputs } = await plugin.check(urn, { start: 3, label: secret("home") });
  const { message, kept } = (await plugin.create(urn, inputs)) as Failure;
  expect(kept).toMatchObject({
    id: "c1",
    inputs,
    properties: { incomplete: message, secretRecord: secret({ labelLength: 4 }) },
  });
  const { properties = {} } = kept ?? {};
  const again = (await plugin.update(urn, "c1", properties, inputs)) as unknown as Failure;
  expect(again.message).toBe(
    `${message}. To repeat the create does not help: let the hook onError return false for it.`,
  );
  expect(again.kept).toEqual({ ...kept, reasons: [again.message] });
  const read = await plugin.read(urn, "c1", properties, inputs);
  expect(read).toMatchObject({ id: "c1", inputs, outputs: properties });
  expect(await plugin.diff(urn, "c1", read.outputs, inputs, inputs)).toMatchObject({ replaces: ["incomplete"] });
  expect(service.calls).toEqual(["POST c1"]);
  plugin.close();
  served.stop();
});
