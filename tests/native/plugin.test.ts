import { expect, test } from "@jest/globals";
import type { Emulator } from "../../emulator";
import { unknownText } from "../../framework/engineValues";
import { isProof } from "../../framework/naming";
import { secret } from "../../framework/testing";
import type { ApiTokenInputs } from "../../provider/nouns/apiToken/definition";
import schema from "../../schema.json";
import { startTemporaryEmulator } from "../support/deployment";
import { oneValue } from "../support/queryAnswers";
import { json, startService } from "../support/service";
import { openForTests } from "../support/suite";
import { pluginFile, startConfigured, startPlugin, urnOf } from "./plugin";

const urn = urnOf("ci");
const capabilities = { orgCapabilities: { apiTokens: ["read"] } };

const service = openForTests(() => startTemporaryEmulator({ profile: "extended" }));
const startOn = ({ url, rootToken }: Emulator) => startConfigured({ baseUrl: url, accessToken: secret(rootToken) });
const plugin = openForTests(() => startOn(service));

test("it serves the schema of this package", async () => {
  expect(await plugin.schema()).toEqual(JSON.parse(JSON.stringify(schema)));
});

test("a name that is made up follows from the engine's seed, and stays", async () => {
  const [one, two, other] = [
    await plugin.check(urn, capabilities, { seed: "a" }),
    await plugin.check(urn, capabilities, { seed: "a" }),
    await plugin.check(urn, capabilities, { seed: "b" }),
  ];
  expect(one.inputs.name).toMatch(/^ci-[0-9a-f]{7}$/);
  expect(two.inputs).toEqual(one.inputs);
  expect(other.inputs.name).not.toBe(one.inputs.name);
  const later = await plugin.check(urn, capabilities, { seed: "b", olds: one.inputs });
  expect(later.inputs.name).toBe(one.inputs.name);
});

test("a name that a pattern of pulumi:autonaming proposes is used, and a token keeps the name that it has", async () => {
  const { inputs } = await plugin.check(urn, capabilities, { proposed: "ci-dev-3ufv0" });
  expect(inputs).toMatchObject({ name: "ci-dev-3ufv0" });
  const later = await plugin.check(urn, capabilities, { proposed: "ci-dev-xgtfm", olds: inputs });
  expect(later.inputs).toEqual(inputs);
});

test("a proposed name proves nothing, even if it ends like a generated one", async () => {
  const { inputs } = await plugin.check(urn, capabilities, { proposed: "ci-1a2b3c4" });
  const proves = (named: object) => isProof(named as ApiTokenInputs);
  expect(proves(inputs)).toBe(false);
  const later = await plugin.check(urn, capabilities, { proposed: "ci-9d8e7f6", olds: inputs });
  expect(later.inputs).toEqual(inputs);
  const own = await plugin.check(urn, capabilities);
  expect(proves(own.inputs)).toBe(true);
});

test("a preview's create and update send nothing, though the engine calls them", async () => {
  const before = service.calls.length;
  const { inputs } = await plugin.check(urn, { ...capabilities, expiresIn: "90d" });
  const planned = await plugin.create(urn, inputs, true);
  expect(planned).toEqual({
    id: "",
    outputs: expect.objectContaining({
      // Generated already, but no token has it: a lookup by it has to wait for the update.
      name: unknownText,
      token: secret(unknownText),
      fingerprint: unknownText,
      expiresAt: unknownText,
    }),
  });
  const state = { ...inputs, token: secret("a secret") };
  const update = (change: object) => plugin.update(urn, "t1", state, { ...inputs, ...change }, true);
  expect(await update({ retire: "expire" })).toMatchObject({ token: state.token, retire: "expire" });
  const adopt = { id: "t1", token: secret("a secret") };
  expect(await update({ adopt })).toMatchObject({ token: secret(unknownText), fingerprint: unknownText });
  expect(service.calls.length).toBe(before);
});

test("the preview of an update keeps secret whatever derives from an argument that was a secret", async () => {
  const { inputs: olds } = await plugin.check(urn, { ...capabilities, expiresIn: secret("90d") });
  const made = await plugin.create(urn, olds);
  expect(made.outputs.expiresAt).toEqual(secret(expect.any(String)));
  const { inputs } = await plugin.check(urn, { ...capabilities, expiresIn: "90d", retire: "revoke" }, { olds });
  const { expiresAt, expiresIn } = await plugin.update(urn, made.id, made.outputs, inputs, true, olds);
  expect([expiresAt, expiresIn]).toEqual([made.outputs.expiresAt, secret("90d")]);
});

test("what will be replaced is said of the resource itself, with the reason, and the comparison names what differs", async () => {
  const { inputs: olds } = await plugin.check(urn, capabilities);
  const made = await plugin.create(urn, olds);
  const { inputs } = await plugin.check(urn, { ...capabilities, description: "new", retire: "revoke" }, { olds });
  // A renamed resource has another key, which nobody declared.
  expect(await plugin.diff(urn, made.id, made.outputs, inputs, { ...olds, key: "before" })).toMatchObject({
    changes: true,
    replaces: ["description"],
    detailed: { description: "update, replace", retire: "update" },
  });
  const message = expect.stringMatching(/will be replaced, which creates a new secret: description changed/);
  expect(plugin.told).toContainEqual(expect.objectContaining({ urn, message }));
});

test("a refresh says which argument moved, also where no input shows it", async () => {
  const { inputs } = await plugin.check(urn, { ...capabilities, expiresIn: "90d" });
  const made = await plugin.create(urn, inputs);
  await service.tokens.change(made.id, { expiresAt: "2031-01-01T00:00:00Z" });
  await using later = await startOn(service);
  const read = await later.read(urn, made.id, made.outputs, inputs);
  expect(await later.diff(urn, made.id, read.outputs, inputs, read.inputs)).toMatchObject({
    changes: true,
    replaces: [],
    detailed: { expiresAt: "update" },
  });
});

test("a failure is one sentence without a stack, a credential or an answer's body", async () => {
  await using scripted = await startService(json(403, { message: "no", hint: "xaat-in-the-body" }));
  const accessToken = secret("xaat-the-credential");
  await using other = await startConfigured({ baseUrl: scripted.url, accessToken, profile: "documented" });
  const message = await other.create(urn, { name: "x" }).catch((failure: Error) => failure.message);
  expect(message).toMatch(/403/);
  expect(message).not.toMatch(/\n\s+at /);
  expect(message + other.printed() + JSON.stringify(other.told)).not.toMatch(/xaat-/);
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
  await expect(plugin.invoke(name, args)).rejects.toMatchObject({ message: expect.stringContaining(message) });
  expect(service.calls).toHaveLength(before);
});

test.each([
  ["getToken", { name: secret("cnry") }],
  ["queryApl", { apl: secret("cnry"), ...range }],
  ["queryDataset", { dataset: "web", resolution: "auto", ...range, filter: { field: secret("cnry"), op: "==" } }],
])("%s repeats nothing of a secret argument, nor does the service through it", async (name, args) => {
  // It says again what it was asked.
  await using scripted = await startService((response, request, socket) =>
    json(400, { message: `cannot read ${request.call} ${request.body}` })(response, request, socket),
  );
  await using other = await startConfigured({ baseUrl: scripted.url });
  const message = expect.stringMatching(/^(?!.*cnry).*the reason is hidden because an argument is secret$/);
  await expect(other.invoke(name, args)).rejects.toMatchObject({ message });
  expect(scripted.requests).toHaveLength(1);
  expect(other.printed() + JSON.stringify(other.told)).not.toContain("cnry");
});

test("a function with no secret argument gives the reason of its failure", async () => {
  await using scripted = await startService(json(400, { message: "no such field" }));
  await using other = await startConfigured({ baseUrl: scripted.url });
  const message = expect.stringContaining("no such field");
  await expect(other.invoke("queryApl", { apl: "web", ...range })).rejects.toMatchObject({ message });
});

test("the result of a function is secret if an argument is", async () => {
  expect(await plugin.invoke("getTokens", { name: secret("of nobody") })).toEqual({ tokens: secret([]) });
  expect(await plugin.invoke("getTokens", { name: "of nobody" })).toEqual({ tokens: [] });
});

test("a create under way ends as it would have, when the engine asks to cancel", async () => {
  const urn = urnOf("cancelled");
  const { inputs } = await plugin.check(urn, { orgCapabilities: { users: ["read"] } });
  const creating = plugin.create(urn, inputs);
  await plugin.cancel();
  expect(await creating).toMatchObject({ id: expect.any(String), outputs: { token: secret(expect.any(String)) } });
  expect(service.tokens.list().map(({ name }) => name)).toContain(inputs.name);
});

test("a gate that waits ends with its reason, when the engine asks to cancel", async () => {
  const arrived = Promise.withResolvers<void>();
  await using scripted = await startService((...request) => {
    arrived.resolve();
    return oneValue(9)(...request);
  });
  await using other = await startConfigured({ baseUrl: scripted.url });
  const urn = urnOf("errors", "QueryGate");
  const gate = { apl: "web | count", startTime: "now-5m", endTime: "now", expect: { max: 5 }, every: "1h", for: "2h" };
  const { inputs } = await other.check(urn, gate);
  const creating = other.create(urn, inputs);
  await arrived.promise;
  await other.cancel();
  await expect(creating).rejects.toThrow('gate "errors": the update was cancelled before the gate passed');
  expect(scripted.requests).toHaveLength(1);
});

test("what an option made secret in the state stays so when it is read", async () => {
  const urn = urnOf("optional");
  const { inputs } = await plugin.check(urn, {
    orgCapabilities: { users: ["read"] },
    expiresIn: "90d",
  });
  const made = await plugin.create(urn, inputs);
  const state = { ...made.outputs, fingerprint: secret(made.outputs.fingerprint) };
  const read = await plugin.read(urn, made.id, state, inputs);
  expect(read.outputs).toMatchObject({ fingerprint: state.fingerprint, token: made.outputs.token });
});

// Limits of the engine's protocol, of its log, and of Node.js.

test("an engine whose log never responds does not stop a hook", async () => {
  await using documented = await startTemporaryEmulator();
  await using one = await startPlugin({}, [], [pluginFile], true);
  await one.configure({ baseUrl: documented.url, accessToken: documented.rootToken });
  // A token without an expiry is worth a warning in this profile.
  const { inputs } = await one.check(urnOf("ci"), {});
  expect(one.told.map(({ message }) => message)).toEqual([expect.stringContaining("never expires")]);
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
