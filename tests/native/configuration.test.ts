import { expect, test } from "@jest/globals";
import { json, startService } from "../support/service";
import { secret, startPlugin, unknownText, urnOf } from "./plugin";

const minted = json(200, { id: "t1", name: "x", token: "xaat-minted" });
const urn = urnOf("x");

test("an explicit provider's arguments are all there is for it; a stack's config comes after the environment", async () => {
  await using here = await startService(minted);
  await using there = await startService(minted);
  const env = { EVENT_DATASETS_BASE_URL: here.url, EVENT_DATASETS_ACCESS_TOKEN: "xaat-environment" };
  const args = { baseUrl: there.url, accessToken: secret("xaat-argument") };
  for (const [name, service, credential] of [
    ["default", here, "xaat-environment"],
    ["default_0_1_0", here, "xaat-environment"],
    ["prod", there, "xaat-argument"],
    ["default-eu", there, "xaat-argument"],
  ] as const) {
    await using plugin = await startPlugin(env);
    const { inputs, reasons } = await plugin.checkConfig(name, args);
    expect(reasons).toEqual([]);
    expect(inputs.accessToken).toEqual(args.accessToken);
    await plugin.configure(inputs);
    expect(await plugin.create(urn, { name: "x" })).toMatchObject({ id: "t1" });
    expect(service.requests.at(-1)?.headers.authorization).toBe(`Bearer ${credential}`);
  }
  expect([here.calls.length, there.calls.length]).toEqual([2, 2]);
});

test("a provider's argument that is missing or not known fails; of the stack's config it is a warning", async () => {
  await using plugin = await startPlugin();
  const { reasons } = await plugin.checkConfig("prod", { baseUrl: unknownText, acessToken: "xaat-misspelt" });
  expect(reasons).toEqual([
    'Provider "prod": argument accessToken is missing or empty',
    'Provider "prod": argument acessToken is not known; did you mean "accessToken"?',
  ]);
  const stack = await plugin.checkConfig("default", { acessToken: "xaat-misspelt", version: "0.1.0" });
  expect(stack.reasons).toEqual([]);
  expect(plugin.told.map(({ message }) => message)).toEqual([
    'stack config event-datasets:acessToken is not known; did you mean "accessToken"?',
  ]);
});

test("a setting that is missing fails the check of a resource and names every place that was looked in", async () => {
  await using plugin = await startPlugin({ EVENT_DATASETS_BASE_URL: "http://127.0.0.1:1" });
  await plugin.configure({});
  const { reasons } = await plugin.check(urn, {});
  expect(reasons).toEqual([
    "accessToken is missing: set environment variable EVENT_DATASETS_ACCESS_TOKEN or stack config event-datasets:accessToken",
  ]);
});

test("the plugin ends with its engine, and says what Node.js it needs", async () => {
  const plugin = await startPlugin();
  expect((await plugin.schema()).name).toBe("event-datasets");
  await plugin[Symbol.asyncDispose]();
  await expect(startPlugin({ NODE_OPTIONS: "--no-such-option" })).rejects.toThrow("the plugin did not start");
});
