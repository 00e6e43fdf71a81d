import { afterEach, beforeEach, describe, expect, test } from "@jest/globals";
import { type Command, type Form, type Stack, secret } from "../../framework/testing";
import { type CounterService, counter, stackOf, startCounterService } from "./counterService";

let service: CounterService;
beforeEach(async () => {
  service = await startCounterService();
  service.keepsKeys = true;
});
afterEach(() => service[Symbol.asyncDispose]());

const words = "the key of c1 never arrived";
const advice = `${words}. Repeating the create does not help: let the hook onError return false for it.`;

describe.each<Form>(["dynamic", "native"])("an object that a failed create left behind, in the %s form", (form) => {
  let stack: Stack;
  beforeEach(() => {
    stack = stackOf(service, form);
  });
  const up = (options = {}): Command => ({
    command: "up",
    program: { visits: counter({ start: 3, label: secret("home") }, options) },
  });

  test("its state says why; repeated as an update, the create fails as before, before any request", async () => {
    const failures: string[] = [];
    const repeats = (all: readonly string[]) => {
      failures.splice(0, failures.length, ...all);
      return all.length < 3;
    };
    const { calls } = await stack.run(up({ repeats }));
    expect(failures).toEqual([words, advice, advice]);
    expect(calls.map(({ hook }) => hook)).toEqual(["check", "create", "update", "update"]);
    expect(stack.find("visits")).toMatchObject({
      id: "c1",
      inputs: { start: 3, label: secret("home") },
      outputs: { incomplete: words, secretRecord: secret({ labelLength: 4 }) },
      initErrors: [advice],
    });
    expect(service.calls).toEqual(["POST c1"]);
  });

  test("a read looks up nothing and keeps the mark, the next update replaces the object, and it is deleted", async () => {
    await stack.run(up());
    const before = stack.find("visits");
    const refresh = await stack.run({ command: "refresh" });
    expect(refresh.told).toEqual([
      expect.stringMatching(/^Counter c1 is not complete, .*replaces it.* never arrived$/),
    ]);
    expect(refresh.found.visits).toEqual({ changes: false, replaces: [] });
    expect(stack.find("visits")?.outputs).toEqual(before?.outputs);
    service.keepsKeys = false;
    expect((await stack.run(up())).found.visits).toEqual({ changes: true, replaces: ["incomplete"] });
    expect(service.calls).toEqual(["POST c1", "POST c2", "DELETE c1"]);
    expect(stack.find("visits")).toMatchObject({ id: "c2", outputs: { secretKey: secret("key-of-c2") } });
  });
});
