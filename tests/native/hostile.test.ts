import { expect, test } from "@jest/globals";
import { startTemporaryEmulator } from "../support/deployment";
import { pluginFile, secret, startPlugin, unknownText, urnOf } from "./plugin";
import { usePlugin } from "./usePlugin";

const it = usePlugin();

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
  const before = it.service.calls.length;
  await expect(it.plugin.invoke(name, args)).rejects.toMatchObject({ details: expect.stringContaining(message) });
  expect(it.service.calls).toHaveLength(before);
});

test("a create under way ends as it would have, when the engine asks to cancel", async () => {
  const urn = urnOf("cancelled");
  const { inputs } = await it.plugin.check(urn, { orgCapabilities: { users: ["read"] } });
  const creating = it.plugin.create(urn, inputs);
  await it.plugin.cancel();
  expect(await creating).toMatchObject({ id: expect.any(String), outputs: { token: secret(expect.any(String)) } });
  expect(it.service.tokens.list().map(({ name }) => name)).toContain(inputs.name);
});

test("what an option made secret in the state stays so, when it is read and updated", async () => {
  const urn = urnOf("optional");
  const { inputs } = await it.plugin.check(urn, {
    orgCapabilities: { users: ["read"] },
    expiresIn: "90d",
  });
  const made = await it.plugin.create(urn, inputs);
  if ("message" in made) throw new Error(made.message);
  const state = { ...made.outputs, fingerprint: secret(made.outputs.fingerprint) };
  const read = await it.plugin.read(urn, made.id, state, inputs);
  expect(read.outputs).toMatchObject({ fingerprint: state.fingerprint, token: made.outputs.token });
  const next = { ...inputs, expiresIn: "90d", rotation: { rotateBefore: "7d" } };
  expect(await it.plugin.update(urn, made.id, state, next)).toMatchObject({
    fingerprint: state.fingerprint,
    token: made.outputs.token,
  });
});

// Limits of the engine's protocol, of its log, and of Node.js.

test("an engine whose log never responds does not stop a hook", async () => {
  await using service = await startTemporaryEmulator();
  await using one = await startPlugin({}, [], [pluginFile], true);
  await one.configure({ baseUrl: service.url, accessToken: service.rootToken });
  // A token without an expiry is worth a warning in this profile.
  const { inputs } = await one.check(urnOf("ci"), {});
  expect(one.told.map(({ message }) => message)).toEqual([expect.stringContaining("has no expiry")]);
  expect(await one.create(urnOf("ci"), inputs)).toMatchObject({ id: expect.any(String) });
});

test("on Node.js 20 the plugin ends with one clear line", async () => {
  const old = `data:text/javascript,Object.defineProperty(process.versions,"node",{value:"20.20.2"})`;
  const message = await startPlugin({}, [], ["--import", old, pluginFile]).then(
    () => "it started",
    (failure: Error) => failure.message,
  );
  expect(message.trimEnd()).toMatch(
    /^the plugin did not start: Node\.js 22\.19 or newer is needed; this is v\S+ \(\S+\)$/,
  );
});
