import { setTimeout } from "node:timers/promises";
import { expect, test } from "@jest/globals";
import { unknownText } from "../../framework/engineValues";
import { secret } from "../../framework/testing";
import { defined } from "../../values/defined";
import { json, startService } from "../support/service";
import { startPlugin, urnOf } from "./plugin";

const minted = json(200, { id: "t1", name: "x", token: "xaat-minted" });
const urn = urnOf("x");

test("an explicit provider's arguments are all there is for it; a stack's config comes after the environment", async () => {
  await using here = await startService(minted);
  await using there = await startService(minted);
  const env = { EVENT_DATASETS_BASE_URL: here.url, EVENT_DATASETS_ACCESS_TOKEN: "xaat-environment" };
  const args = { baseUrl: there.url, accessToken: secret("xaat-argument") };
  for (const [name, service, credential] of [
    ["default", here, "xaat-environment"],
    ["prod", there, "xaat-argument"],
  ] as const) {
    await using plugin = await startPlugin(env);
    const { inputs, reasons } = await plugin.checkConfig(name, args);
    expect(reasons).toEqual([]);
    expect(inputs.accessToken).toEqual(args.accessToken);
    await plugin.configure(inputs);
    expect(await plugin.create(urn, { name: "x" })).toMatchObject({ id: "t1" });
    expect(service.requests.at(-1)?.headers.authorization).toBe(`Bearer ${credential}`);
  }
  expect([here.calls.length, there.calls.length]).toEqual([1, 1]);
});

test("only a provider that is named exactly as the engine names its own takes the stack's config", async () => {
  await using plugin = await startPlugin();
  const isExplicit = async (name: string, version?: string) => {
    const news = { baseUrl: "http://127.0.0.1:1", accessToken: "xaat-a", ...defined({ version }) };
    const { inputs } = await plugin.checkConfig(name, news);
    return inputs.provider === name;
  };
  const own: readonly (readonly [name: string, version?: string])[] = [
    ["default"],
    ["default_0_1_0", "0.1.0"],
    ["default_1_2_3_rc-a_1_linux", "1.2.3-rc-a.1+linux"],
    ["default_https_/example.com/plugins"],
    ["default_0_1_0_https_/example.com/plugins", "0.1.0"],
  ];
  for (const [name, version] of own) expect([name, await isExplicit(name, version)]).toEqual([name, false]);
  const others: typeof own = [
    ["default_eu"],
    ["default_eu", "0.1.0"],
    ["default-eu"],
    ["default", "0.1.0"],
    ["default_0_1_0"],
    ["default_0_1_0", "0.2.0"],
    ["default_0_1_0_eu", "0.1.0"],
    ["default_https_"],
  ];
  for (const [name, version] of others) expect([name, await isExplicit(name, version)]).toEqual([name, true]);
});

test("EVENT_DATASETS_DEBUG shows every request in the engine's log, because the engine hides what a plugin prints", async () => {
  await using service = await startService(minted);
  const env = { EVENT_DATASETS_BASE_URL: service.url, EVENT_DATASETS_ACCESS_TOKEN: "xaat-environment" };
  await using plugin = await startPlugin({ ...env, EVENT_DATASETS_DEBUG: "1" });
  await plugin.configure({});
  await plugin.create(urn, { name: "x" });
  for (let looks = 0; plugin.told.length === 0 && looks < 100; looks++) await setTimeout(10);
  expect(plugin.told.map(({ message }) => message)).toEqual([
    expect.stringMatching(/^event-datasets POST \/v2\/tokens 200 /),
  ]);
});

test("a provider's argument that is missing or not known fails; of the stack's config it is a warning", async () => {
  await using plugin = await startPlugin();
  const { reasons } = await plugin.checkConfig("prod", { baseUrl: unknownText, acessToken: "xaat-misspelt" });
  expect(reasons).toEqual([
    'Provider "prod": argument accessToken is missing or empty',
    'Provider "prod": argument acessToken is not known; did you mean "accessToken"?',
  ]);
  const stack = await plugin.checkConfig("default_0_1_0", { acessToken: "xaat-misspelt", version: "0.1.0" });
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

test("another address or credential of a provider is an update of it, never a replacement", async () => {
  await using plugin = await startPlugin();
  const olds = { baseUrl: "http://127.0.0.1:1", accessToken: secret("xaat-one"), profile: "extended" };
  const news = { baseUrl: "https://example.com", accessToken: secret("xaat-two"), profile: "extended" };
  expect(await plugin.diffConfig(olds, news)).toMatchObject({
    changes: true,
    replaces: [],
    changed: ["accessToken", "baseUrl"],
  });
  const moved = { ...olds, baseUrl: news.baseUrl };
  expect(await plugin.diffConfig(olds, moved)).toMatchObject({ changes: true, replaces: [], changed: ["baseUrl"] });
  expect(await plugin.diffConfig(olds, olds)).toMatchObject({ changes: false, replaces: [], changed: [] });
});
