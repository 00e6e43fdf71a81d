import { afterAll, beforeAll, expect, test } from "@jest/globals";
import type { Emulator } from "../../emulator";
import { startTemporaryEmulator } from "../support/deployment";
import { hangUp, json, startService } from "../support/service";
import { type Failure, type Plugin, secret, startPlugin, unknownText, urnOf } from "./plugin";

const urn = urnOf("ci");
const capabilities = { orgCapabilities: { apiTokens: ["read"] } };

let service: Emulator & Partial<AsyncDisposable>;
let plugin: Plugin;

beforeAll(async () => {
  service = await startTemporaryEmulator({ profile: "extended" });
  plugin = await startPlugin();
  await plugin.configure({ baseUrl: service.url, accessToken: secret(service.rootToken), profile: "extended" });
});

afterAll(async () => {
  await plugin[Symbol.asyncDispose]();
  await service[Symbol.asyncDispose]?.();
});

const creates = () => service.calls.filter(({ method }) => method === "POST").length;

/** A token that was made. */
async function make(name: string, more: object = {}) {
  const { inputs } = await plugin.check(urnOf(name), { ...capabilities, ...more }, { seed: name });
  const made = await plugin.create(urnOf(name), inputs);
  if (!("id" in made)) throw new Error(made.message);
  return { inputs, ...made };
}

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
  const updated = await plugin.update(
    urn,
    "t1",
    { ...inputs, token: secret("a secret") },
    { ...inputs, retire: "expire" },
    true,
  );
  expect(updated).toEqual(expect.objectContaining({ token: secret("a secret"), retire: "expire" }));
  expect(service.calls.length).toBe(before);
});

test("a token is minted once; its secret is marked, and what is derived from it is not", async () => {
  const before = creates();
  const { id, outputs } = await make("once", { expiresAt: "2031-01-01T00:00:00Z", rotation: { rotateBefore: "14d" } });
  expect(creates()).toBe(before + 1);
  expect(outputs.token).toEqual(secret(expect.stringMatching(/^xaat-/)));
  expect(outputs).toMatchObject({
    fingerprint: expect.stringMatching(/^[0-9a-f]{12}$/),
    rotatesAt: "2030-12-18T00:00:00.000Z",
  });
  expect(outputs.__provider).toBe('exports.handler=()=>require("pulumi-event-datasets/dynamic/v1/api-token")');
  const found = await plugin.read(urnOf("once"), id, outputs, {});
  expect(found.outputs).toEqual(outputs);
});

test("a comparison names every input that differs, and which of them replace", async () => {
  const { id, inputs, outputs } = await make("compared");
  expect(await plugin.diff(urnOf("compared"), id, outputs, inputs)).toEqual({
    changes: false,
    replaces: [],
    detailed: {},
  });
  const changed = { ...inputs, description: "new", retire: "revoke" };
  expect(await plugin.diff(urnOf("compared"), id, outputs, changed, inputs)).toEqual({
    changes: true,
    replaces: ["description"],
    detailed: { description: "update, replace", retire: "update" },
  });
});

test("what will be replaced is said of the resource itself, with the reason", async () => {
  const { id, inputs, outputs } = await make("told");
  const news = { ...inputs, description: "new" };
  await plugin.check(urnOf("told"), news, { olds: inputs });
  const { inputs: checked } = await plugin.check(
    urnOf("told"),
    { ...capabilities, description: "new" },
    { olds: inputs },
  );
  await plugin.diff(urnOf("told"), id, outputs, checked, inputs);
  const told = plugin.told.filter(({ urn: about }) => about === urnOf("told"));
  expect(told).toEqual([
    expect.objectContaining({
      message: expect.stringMatching(/will be replaced, which creates a new secret: description changed/),
    }),
  ]);
});

test("a plugin of an engine that was called with flags tells that engine", async () => {
  const { id } = await make("flagged", { name: "flagged" });
  await using one = await startPlugin({}, ["--logflow", "-v=9", "--tracing", "http://127.0.0.1:9411/api/v1/spans"]);
  await one.configure({ baseUrl: service.url, accessToken: service.rootToken, profile: "extended" });
  await one.check(urn, { name: "flagged", ...capabilities, adopt: { id } });
  expect(one.told.map(({ message }) => message)).toEqual([expect.stringContaining("adopts an existing token")]);
});

test("a token that the engine replaces though the comparison said in place is revoked", async () => {
  const { id, inputs, outputs } = await make("forced");
  const { inputs: news } = await plugin.check(
    urnOf("forced"),
    { ...capabilities, retire: "revoke" },
    { olds: inputs, seed: "next" },
  );
  expect(await plugin.diff(urnOf("forced"), id, outputs, news, inputs)).toMatchObject({ changes: true, replaces: [] });
  const successor = await make("forced", { retire: "revoke" });
  await plugin.delete(urnOf("forced"), id, outputs);
  const live = service.tokens.list().map((token) => token.id);
  expect([live.includes(id), live.includes(successor.id)]).toEqual([false, true]);
});

test("inputs that are secret stay marked in inputs and outputs, and nothing made of them is shown", async () => {
  const hidden = "a-name-that-nobody-may-see";
  const { inputs, reasons } = await plugin.check(urn, { ...capabilities, name: secret(hidden) });
  expect(reasons).toEqual([]);
  expect(inputs).toMatchObject({ name: secret(hidden), secretInputs: ["name"] });
  const made = await plugin.create(urn, inputs);
  expect(made).toMatchObject({ outputs: { name: secret(hidden) } });
  const { id, outputs } = made as Exclude<typeof made, Failure>;
  const found = await plugin.read(urn, id, outputs, {});
  expect(JSON.stringify([found.inputs, found.outputs]).replaceAll(JSON.stringify(secret(hidden)), "")).not.toContain(
    hidden,
  );
  expect(JSON.stringify(plugin.told) + plugin.printed()).not.toContain(hidden);
});

test("an input that is not known is left alone, and an unusable one is named without its value", async () => {
  const { inputs } = await plugin.check(urn, {
    ...capabilities,
    description: unknownText,
    expiresAt: secret(unknownText),
  });
  expect(inputs).toMatchObject({ description: unknownText, expiresAt: secret(unknownText) });
  expect((await plugin.check(urn, { expiresAt: "soon" })).reasons).toEqual([
    expect.stringMatching(/^expiresAt must be an RFC 3339 instant/),
  ]);
  expect((await plugin.check(urn, { key: "made", orgCapabilitis: {} })).reasons).toEqual([
    expect.stringMatching(/^key is not known; the inputs are name, description/),
    'orgCapabilitis is not known; did you mean "orgCapabilities"?',
  ]);
});

test("an import reads what is live, says that the secret is not there, and never mints for inputs that differ", async () => {
  const [live] = await service.tokens.add([{ name: "theirs", ...capabilities }]);
  const id = String(live?.id);
  const before = creates();
  const found = await plugin.read(urnOf("ours"), id);
  expect(found.inputs).toEqual({ name: "theirs", ...capabilities });
  expect(found.outputs).toMatchObject({ record: {} });
  expect(found.outputs).not.toHaveProperty("token");
  expect(plugin.told.at(-1)?.message).toContain("its secret cannot be read again");
  const { inputs } = await plugin.check(urnOf("ours"), { name: "theirs", orgCapabilities: { users: ["read"] } });
  await expect(plugin.diff(urnOf("ours"), id, found.outputs, inputs, found.inputs)).rejects.toMatchObject({
    details: expect.stringContaining(`${id} is not imported: it differs from what is declared in orgCapabilities`),
  });
  const equal = await plugin.check(urnOf("ours"), { name: "theirs", ...capabilities });
  expect(await plugin.diff(urnOf("ours"), id, found.outputs, equal.inputs, found.inputs)).toMatchObject({
    changes: false,
  });
  expect(creates()).toBe(before);
});

test("a token that is gone is gone, and a delete of it is done", async () => {
  const { id, outputs } = await make("gone");
  await plugin.delete(urnOf("gone"), id, outputs);
  expect(service.tokens.list().map((token) => token.id)).not.toContain(id);
  const old = { ...outputs, createdAt: "2026-01-01T00:00:00Z" };
  expect(await plugin.read(urnOf("gone"), id, old, {})).toMatchObject({ id: "" });
  await plugin.delete(urnOf("gone"), id, outputs);
});

test("an answer that is lost leaves a token that the engine keeps, with its secrets marked", async () => {
  await using scripted = await startService(
    hangUp,
    json(200, [{ id: "t7", name: "ci-1234567" }]),
    json(404, { message: "none" }),
  );
  await using other = await startPlugin();
  await other.configure({ baseUrl: scripted.url, accessToken: "xaat-root", profile: "documented" });
  const inputs = {
    name: "ci-1234567",
    key: "ci",
    description: secret("of nobody"),
    secretInputs: ["description"],
  };
  const failure = (await other.create(urn, inputs)) as Failure;
  expect(failure).toEqual({
    message: expect.stringContaining("was created with id t7, but its secret never arrived"),
    kept: {
      id: "t7",
      properties: expect.objectContaining({
        record: expect.objectContaining({ lost: true }),
        secretRecord: secret({ declared: { description: "of nobody" } }),
      }),
      inputs,
      reasons: [failure.message],
    },
  });
  expect(failure.message).not.toContain("of nobody");
  expect(scripted.calls.filter((call) => call.startsWith("POST"))).toHaveLength(1);
  expect(await other.diff(urn, "t7", failure.kept?.properties ?? {}, inputs)).toMatchObject({ replaces: ["token"] });
});

test("a failure is one sentence without a stack, a credential or an answer's body", async () => {
  await using scripted = await startService(json(403, { message: "no", hint: "xaat-in-the-body" }));
  await using other = await startPlugin();
  await other.configure({ baseUrl: scripted.url, accessToken: secret("xaat-the-credential"), profile: "documented" });
  const failure = (await other.create(urn, { name: "x" })) as Failure;
  expect(failure.message).toMatch(/403/);
  expect(failure.message).not.toMatch(/\n\s+at /);
  expect(failure.message + other.printed() + JSON.stringify(other.told)).not.toMatch(/xaat-/);
});
