import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, test } from "@jest/globals";
import { Declarations, modulesOf, schemaOf } from "../../framework/build";
import { type Form, Stack } from "../../framework/testing";
import { type CounterService, password, startCounterService } from "./counterService";
import { markers } from "./markers";

let service: CounterService;
beforeEach(async () => {
  service = await startCounterService();
});
afterEach(() => service[Symbol.asyncDispose]());

describe.each<Form>(["dynamic", "native"])("in the %s form", (form) => {
  const up = (stack: Stack, args: object) =>
    stack.run({ command: "up", program: { release: { type: "Marker", args: { ...args } } } });
  const open = () => new Stack(markers, { form, settings: { default: { address: service.address, password } } });

  test("a value that the service chooses stays as it is while the program leaves it out", async () => {
    const stack = open();
    await up(stack, { label: "1.0" });
    const { start } = stack.find("release")?.outputs ?? {};
    expect(start).toEqual(expect.any(Number));
    expect((await up(stack, { label: "1.0" })).found.release).toEqual({ changes: false, replaces: [] });
    expect((await up(stack, { label: "1.1" })).found.release).toEqual({ changes: true, replaces: [] });
    expect(stack.find("release")?.outputs).toMatchObject({ label: "1.1", start });
    expect(service.calls).toEqual(["POST c1", "PUT c1"]);
  });

  test("its own comparison decides what replaces a marker", async () => {
    const stack = open();
    await up(stack, { label: "1.0", start: 1_000 });
    expect((await up(stack, { label: "1.0", start: 1_059 })).found.release?.changes).toBe(false);
    expect((await up(stack, { label: "1.0", start: 1_060 })).found.release?.replaces).toEqual(["start"]);
    expect(service.calls).toEqual(["POST c1", "POST c2", "DELETE c1"]);
  });

  test("a refresh finds what somebody changed, and what is gone", async () => {
    const stack = open();
    await up(stack, { label: "1.0", start: 1_000 });
    service.counters.set("c1", { start: 1_000, label: "by hand" });
    expect((await stack.run({ command: "refresh" })).found.release?.changes).toBe(true);
    expect(stack.find("release")?.inputs.label).toBe("by hand");
    service.counters.clear();
    await stack.run({ command: "refresh" });
    expect(stack.resources).toEqual([]);
  });

  test("without a setting nothing is created, and the failure says which is missing", async () => {
    const stack = new Stack(markers, { form, settings: { default: { address: service.address } } });
    const { failures } = await up(stack, { label: "1.0" });
    expect(failures).toEqual([expect.stringContaining("charts:password is missing")]);
    expect(service.calls).toEqual([]);
  });
});

test("what it is published as comes from the provider: its schema and its module", () => {
  const file = "tests/framework/markers.ts";
  const declarations = new Declarations(join(__dirname, "../.."), [file]);
  const { resources, config } = schemaOf({ declarations, provider: markers, entry: file, fileOf: () => file });
  expect(resources).toMatchObject({
    "charts:index:Marker": {
      description: "A line in every chart.",
      inputProperties: { label: { type: "string" }, start: { type: "number" } },
      requiredInputs: ["label"],
    },
  });
  expect(config.variables).toMatchObject({ password: { secret: true } });
  const place = { file: "tests/framework/markers", name: "markers" };
  const placeOf = (name: string) => ({ ...place, member: `.resources.${name}` });
  expect(Object.keys(modulesOf(markers, placeOf, "charts"))).toEqual(["charts/v1/marker.ts"]);
});
