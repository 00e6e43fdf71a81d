import { afterEach, beforeEach, describe, expect, test } from "@jest/globals";
import { type Form, outputOf, play, Stack, secret } from "../../framework/testing";
import { type CounterService, password, startCounterService } from "./counterService";
import { toy } from "./toy";

let service: CounterService;
beforeEach(async () => {
  service = await startCounterService();
});
afterEach(() => service[Symbol.asyncDispose]());

const counter = (args: object, options = {}) => ({ type: "Counter", args: { ...args }, options });
const linesOf = (calls: readonly { hook: string; name: string }[]) => calls.map(({ hook, name }) => `${hook} ${name}`);

describe.each<Form>(["dynamic", "native"])("in the %s form", (form) => {
  const options = () => ({ form, settings: { default: { address: service.address, password } } });

  test("a program is created, compared, changed in place, replaced and destroyed", async () => {
    const declare = (args: object) => ({ command: "up", program: { visits: counter(args) } }) as const;
    const played = await play(
      toy,
      [
        declare({ start: 3, label: "home" }),
        declare({ start: 3, label: "home" }),
        declare({ start: 3, label: "homes" }),
        declare({ start: 4 }),
        { command: "refresh" },
        { command: "destroy" },
      ],
      options(),
    );
    expect(played.map(({ calls }) => linesOf(calls).join(", "))).toEqual([
      "check visits, create visits",
      "check visits, diff visits",
      "check visits, diff visits, update visits",
      "check visits, diff visits, check visits, create visits, delete visits",
      "read visits, diff visits",
      "delete visits",
    ]);
    expect(played.map(({ failures }) => failures)).toEqual([[], [], [], [], [], []]);
    expect(service.calls.at(-1)).toBe("DELETE c2");
    expect(played.at(-1)?.resources).toEqual([]);
  });

  test("outputs reach other resources, and are unknown in a preview", async () => {
    const stack = new Stack(toy, options());
    const program = {
      first: counter({ start: 1, label: secret("one") }),
      second: counter({ start: 2, label: outputOf("first", "secretKey") }),
    };
    const { calls } = await stack.run({ command: "preview", program });
    expect(linesOf(calls)).toEqual(["check first", "check second"]);
    expect(service.calls).toEqual([]);
    expect(stack.resources).toEqual([]);
    await stack.run({ command: "up" });
    expect([...service.counters.values()].map(({ label }) => label)).toEqual(["one", "key-of-c1"]);
    expect(stack.find("second")?.dependencies).toEqual(["first"]);
    expect(stack.find("second")?.outputs.label).toEqual(secret("key-of-c1"));
  });
});
