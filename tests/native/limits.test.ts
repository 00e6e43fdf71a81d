import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "@jest/globals";
import { startTemporaryEmulator } from "../support/deployment";
import { pluginFile, startPlugin, urnOf } from "./plugin";

// Limits of the engine's log, and of Node.js.

const urn = urnOf("ci");

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "limits-"));
});
afterAll(() => rm(folder, { recursive: true, force: true }));

test("an engine whose log never responds does not stop a hook", async () => {
  await using service = await startTemporaryEmulator();
  await using plugin = await startPlugin({}, [], [pluginFile], true);
  await plugin.configure({ baseUrl: service.url, accessToken: service.rootToken });
  // A token without an expiry is worth a warning in this profile.
  const { inputs } = await plugin.check(urn, {});
  expect(plugin.told.map(({ message }) => message)).toEqual([expect.stringContaining("has no expiry")]);
  expect(await plugin.create(urn, inputs)).toMatchObject({ id: expect.any(String) });
});

test("on Node.js 20 the plugin ends with one clear line", async () => {
  const old = join(folder, "node20.cjs");
  await writeFile(old, `Object.defineProperty(process.versions, "node", { value: "20.20.2" });`);
  const message = await startPlugin({}, [], ["--require", old, pluginFile]).then(
    () => "it started",
    (failure: Error) => failure.message,
  );
  expect(message.trimEnd()).toMatch(
    /^the plugin did not start: Node\.js 22\.19 or newer is needed; this is v\S+ \(\S+\)$/,
  );
});
