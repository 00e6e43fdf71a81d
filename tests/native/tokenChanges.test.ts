import { afterAll, beforeAll, expect, test } from "@jest/globals";
import type { Emulator } from "../../emulator";
import { defined } from "../../values/defined";
import { startTemporaryEmulator } from "../support/deployment";
import { type Plugin, startPlugin, urnOf } from "./plugin";

const capabilities = { orgCapabilities: { apiTokens: ["read"] } };

let service: Emulator & Partial<AsyncDisposable>;
let plugin: Plugin;

beforeAll(async () => {
  service = await startTemporaryEmulator({ profile: "extended" });
  plugin = await startPlugin();
  await plugin.configure({ baseUrl: service.url, accessToken: service.rootToken, profile: "extended" });
});

afterAll(async () => {
  await plugin[Symbol.asyncDispose]();
  await service[Symbol.asyncDispose]?.();
});

const creates = () => service.calls.filter(({ method }) => method === "POST").length;

/** A token that was made. */
async function make(name: string, more: object) {
  const { inputs } = await plugin.check(urnOf(name), { ...capabilities, ...more });
  const made = await plugin.create(urnOf(name), inputs);
  if (!("id" in made)) throw new Error(made.message);
  return { inputs, ...made };
}

test("a change of the rotation alone updates what is derived of it, with the secret known to stay", async () => {
  const about = urnOf("turning");
  const expiresAt = "2031-01-01T00:00:00Z";
  const { id, inputs, outputs } = await make("turning", { expiresAt, rotation: { rotateBefore: "14d" } });
  const rotations = [[{ rotateBefore: "30d" }, "2030-12-02T00:00:00.000Z"], [undefined]] as const;
  let [declared, state] = [inputs, outputs];
  const before = creates();
  for (const [rotation, rotatesAt] of rotations) {
    const news = { ...capabilities, expiresAt, ...defined({ rotation }) };
    const { inputs: next } = await plugin.check(about, news, { olds: declared });
    expect(await plugin.diff(about, id, state, next, declared)).toEqual({
      changes: true,
      replaces: [],
      detailed: { rotation: "update" },
    });
    for (const isPreview of [true, false]) {
      const updated = (await plugin.update(about, id, state, next, isPreview, declared)) as Record<string, unknown>;
      expect([updated.token, updated.fingerprint]).toEqual([outputs.token, outputs.fingerprint]);
      expect([updated.rotation, updated.rotatesAt]).toEqual([rotation, rotatesAt]);
      if (!isPreview) [declared, state] = [next, updated];
    }
    expect(await plugin.diff(about, id, state, next, declared)).toMatchObject({ changes: false });
  }
  expect(creates()).toBe(before);
});

test("while a token's adopt is there, another rotation is no change, and its notice comes again", async () => {
  const [live] = await service.tokens.add([{ name: "theirs", ...capabilities }]);
  const id = String(live?.id);
  const { inputs, outputs } = await make("ours", { adopt: { id }, name: "theirs" });
  const news = { ...inputs, rotation: { triggers: { month: 2 } } };
  expect(await plugin.diff(urnOf("ours"), id, outputs, news, inputs)).toMatchObject({ changes: false });
});
