import { afterEach, beforeEach, expect, test } from "@jest/globals";
import { host } from "../../framework/host";
import { outputOf, type Stack, secret } from "../../framework/testing";
import { type CounterService, counter, stackOf, startCounterService } from "./counterService";
import { hosted, toy } from "./toy";

let service: CounterService;
let stack: Stack;
const { create, delete: remove } = hosted.lifecycle;
const resources = { Counter: host(toy.connect, hosted.definition, { create, delete: remove }) };
beforeEach(async () => {
  service = await startCounterService();
  stack = stackOf(service, "dynamic", { ...toy, resources });
});
afterEach(() => service[Symbol.asyncDispose]());

const up = (args: object) =>
  stack.run({ command: "up", program: { visits: counter({ start: 3, label: "home", ...args }) } });

test("without an update every change replaces, an unknown one too; only the secrecy of a value is recorded in place", async () => {
  await up({});
  expect((await up({ label: secret("home") })).found.visits).toEqual({ changes: true, replaces: [] });
  expect(stack.find("visits")?.outputs).toMatchObject({ secretRecord: secret({ labelLength: 4 }) });
  expect((await up({ label: "homes" })).found.visits).toEqual({ changes: true, replaces: ["label"] });
  const linked = counter({ start: 3, label: outputOf("other", "secretKey") });
  const program = { other: counter({ start: 1 }), visits: linked };
  const { found } = await stack.run({ command: "preview", program });
  expect(found.visits).toEqual({ changes: true, replaces: ["label"] });
});

test("a read that changes nothing gives back what the engine passed, but a state of an older version is recorded anew", async () => {
  await up({});
  const { outputs } = stack.find("visits") ?? {};
  await stack.run({ command: "refresh" });
  expect(stack.find("visits")?.outputs).toEqual(outputs);
  stack.rewrite("visits", { outputs: { ...outputs, record: { length: 4 } } });
  await stack.run({ command: "refresh" });
  expect(stack.find("visits")?.outputs.record).toEqual({ labelLength: 4, seen: false, version: 1 });
});
