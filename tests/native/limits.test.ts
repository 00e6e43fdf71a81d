import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "@jest/globals";
import { startTemporaryEmulator } from "../support/deployment";
import { json, startService } from "../support/service";
import { pluginFile, secret, startPlugin, urnOf } from "./plugin";

// Limits of the engine's protocol, of its log, and of Node.js.

const urn = urnOf("ci");

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "limits-"));
});
afterAll(() => rm(folder, { recursive: true, force: true }));

test("a token whose id is longer than a header of the protocol is refused, with a sentence that names its length", async () => {
  await using service = await startService(json(200, { id: "t".repeat(100_000), name: "ci", token: "xaat-0123" }));
  await using plugin = await startPlugin();
  await plugin.configure({ baseUrl: service.url, accessToken: "xaat-root" });
  const failure = await plugin.create(urn, (await plugin.check(urn, { name: "ci" })).inputs);
  expect(failure).toEqual({
    message: expect.stringMatching(
      /^ApiToken was created with an id of 100000 characters, .* delete it at the service\.$/,
    ),
  });
  const read = plugin.read(urn, "t".repeat(100_000));
  await expect(read).rejects.toMatchObject({ details: expect.stringContaining("an id of 100000 characters") });
  expect(service.calls).toEqual(["POST /v2/tokens"]);
});

test("a token whose create got no response is tracked, however much it declares", async () => {
  await using service = await startTemporaryEmulator();
  await using plugin = await startPlugin();
  await plugin.configure({ baseUrl: service.url, accessToken: service.rootToken });
  const datasets = Array.from({ length: 3_000 }, (_, n) => [`dataset-${n}`, { query: ["read"] }]);
  const declared = { description: secret("x".repeat(40_000)), datasetCapabilities: Object.fromEntries(datasets) };
  const { inputs } = await plugin.check(urn, declared);
  service.inject({ method: "POST", path: "/v2/tokens", action: { kind: "close-before-response" } });
  const failure = await plugin.create(urn, inputs);
  expect(failure).toMatchObject({
    message: expect.stringContaining("its secret never arrived"),
    kept: { id: service.tokens.list()[0]?.id, properties: { name: inputs.name, record: { lost: true } } },
  });
});

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
