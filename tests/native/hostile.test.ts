import { afterAll, beforeAll, expect, test } from "@jest/globals";
import { startTemporaryEmulator } from "../support/deployment";
import { type Plugin, secret, startPlugin, unknownText, urnOf } from "./plugin";

type Service = Awaited<ReturnType<typeof startTemporaryEmulator>>;

let service: Service;
let plugin: Plugin;
const settings = ({ url, rootToken }: Service = service) => ({
  baseUrl: url,
  accessToken: rootToken,
  profile: "extended",
});
beforeAll(async () => {
  service = await startTemporaryEmulator({ profile: "extended" });
  plugin = await startPlugin();
  await plugin.configure(settings());
});
afterAll(async () => {
  await plugin[Symbol.asyncDispose]();
  await (service as Service & AsyncDisposable)[Symbol.asyncDispose]();
});

test("what is configured last holds, also after the service was called", async () => {
  const other = await startTemporaryEmulator({ profile: "extended" });
  await using _ = other as Service & AsyncDisposable;
  await using both = await startPlugin();
  await both.configure(settings());
  expect((await both.invoke("getTokens", {})).tokens).toEqual([]);
  await both.configure(settings(other));
  await both.create(urnOf("ci"), (await both.check(urnOf("ci"), {})).inputs);
  expect([service.tokens.list().length, other.tokens.list().length]).toEqual([0, 1]);
});

const range = { startTime: "2026-11-20T00:00:00Z", endTime: "2026-11-21T00:00:00Z" };
test.each([
  ["getToken", { id: unknownText }, "getToken: id is not known yet"],
  ["getTokens", { name: unknownText }, "getTokens: name is not known yet"],
  ["queryApl", { apl: secret(unknownText), ...range }, "queryApl: apl is not known yet"],
  [
    "queryDataset",
    { dataset: "web", resolution: "auto", ...range, groupBy: [unknownText] },
    "groupBy is not known yet",
  ],
  ["getToken", { naem: "ci" }, 'getToken: argument naem is not known; did you mean "name"?'],
])("%s sends nothing for what is not known", async (name, args, message) => {
  const before = service.calls.length;
  await expect(plugin.invoke(name, args)).rejects.toMatchObject({ details: expect.stringContaining(message) });
  expect(service.calls).toHaveLength(before);
});

test.each(["..", ".", "a/../b", "%2e%2e", ""])(
  "%j, which cannot be an id, is refused before it is sent",
  async (id) => {
    const before = service.calls.length;
    const state = { key: "ci", name: "ci-0a1b2c3", record: {} };
    for (const type of ["ApiToken", "Annotation"]) {
      const refused = { details: expect.stringContaining("not a usable id") };
      await expect(plugin.read(urnOf("ci", type), id)).rejects.toMatchObject(refused);
      await expect(plugin.delete(urnOf("ci", type), id, state)).rejects.toMatchObject(refused);
    }
    expect(service.calls).toHaveLength(before);
  },
);

test("a create under way ends as it would have, when the engine asks to cancel", async () => {
  const urn = urnOf("cancelled");
  const { inputs } = await plugin.check(urn, { orgCapabilities: { users: ["read"] } });
  const creating = plugin.create(urn, inputs);
  await plugin.cancel();
  expect(await creating).toMatchObject({ id: expect.any(String), outputs: { token: secret(expect.any(String)) } });
  expect(service.tokens.list().map(({ name }) => name)).toContain(inputs.name);
});

test("a secret or an unknown value that lies deep makes all of its input one, and no other", async () => {
  const urn = urnOf("nested");
  const declared = {
    orgCapabilities: { users: [secret("read")] },
    datasetCapabilities: { web: { query: [unknownText] } },
    description: "plain",
  };
  const { inputs, reasons } = await plugin.check(urn, declared);
  expect(reasons).toEqual([]);
  expect(inputs).toMatchObject({
    orgCapabilities: secret({ users: ["read"] }),
    datasetCapabilities: { web: { query: [unknownText] } },
    description: "plain",
    secretInputs: ["orgCapabilities"],
  });
  expect(await plugin.create(urn, inputs, true)).toMatchObject({
    outputs: { orgCapabilities: secret({ users: ["read"] }), description: "plain", token: secret(unknownText) },
  });
});

test("another address or credential of a provider is an update of it, never a replacement", async () => {
  const olds = { ...settings(), accessToken: secret("xaat-one") };
  const news = { baseUrl: "https://example.com", accessToken: secret("xaat-two"), profile: "extended" };
  expect(await plugin.diffConfig(olds, news)).toEqual({
    changes: true,
    replaces: [],
    keys: ["accessToken", "baseUrl"],
  });
  expect(await plugin.diffConfig(olds, olds)).toEqual({ changes: false, replaces: [], keys: [] });
});

test("what an option made secret in the state stays so, when it is read and updated", async () => {
  const urn = urnOf("optional");
  const { inputs } = await plugin.check(urn, {
    orgCapabilities: { users: ["read"] },
    expiresIn: "90d",
  });
  const made = await plugin.create(urn, inputs);
  if ("message" in made) throw new Error(made.message);
  const state = { ...made.outputs, fingerprint: secret(made.outputs.fingerprint) };
  const read = await plugin.read(urn, made.id, state, inputs);
  expect(read.outputs).toMatchObject({ fingerprint: state.fingerprint, token: made.outputs.token });
  const next = { ...inputs, expiresIn: "90d", rotation: { rotateBefore: "7d" } };
  expect(await plugin.update(urn, made.id, state, next)).toMatchObject({
    fingerprint: state.fingerprint,
    token: made.outputs.token,
  });
});
