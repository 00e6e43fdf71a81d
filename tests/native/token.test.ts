import { expect, test } from "@jest/globals";
import { defined } from "../../values/defined";
import { hangUp, json, startService } from "../support/service";
import { type Failure, secret, startPlugin, unknownText, urnOf } from "./plugin";
import { usePlugin } from "./usePlugin";

const urn = urnOf("ci");
const capabilities = { orgCapabilities: { apiTokens: ["read"] } };

const it = usePlugin();

const creates = () => it.service.calls.filter(({ method }) => method === "POST").length;

/** A token that was made. */
async function make(name: string, more: object = {}) {
  const { inputs } = await it.plugin.check(urnOf(name), { ...capabilities, ...more }, { seed: name });
  const made = await it.plugin.create(urnOf(name), inputs);
  if (!("id" in made)) throw new Error(made.message);
  return { inputs, ...made };
}

test("a name that is made up follows from the engine's seed, and stays", async () => {
  const [one, two, other] = [
    await it.plugin.check(urn, capabilities, { seed: "a" }),
    await it.plugin.check(urn, capabilities, { seed: "a" }),
    await it.plugin.check(urn, capabilities, { seed: "b" }),
  ];
  expect(one.inputs.name).toMatch(/^ci-[0-9a-f]{7}$/);
  expect(two.inputs).toEqual(one.inputs);
  expect(other.inputs.name).not.toBe(one.inputs.name);
  const later = await it.plugin.check(urn, capabilities, { seed: "b", olds: one.inputs });
  expect(later.inputs.name).toBe(one.inputs.name);
});

test("a preview's create and update send nothing, though the engine calls them", async () => {
  const before = it.service.calls.length;
  const { inputs } = await it.plugin.check(urn, { ...capabilities, expiresIn: "90d" });
  const planned = await it.plugin.create(urn, inputs, true);
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
  const updated = await it.plugin.update(
    urn,
    "t1",
    { ...inputs, token: secret("a secret") },
    { ...inputs, retire: "expire" },
    true,
  );
  expect(updated).toEqual(expect.objectContaining({ token: secret("a secret"), retire: "expire" }));
  expect(it.service.calls.length).toBe(before);
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
  const found = await it.plugin.read(urnOf("once"), id, outputs, {});
  expect(found.outputs).toEqual(outputs);
});

test("a comparison names every input that differs, and which of them replace", async () => {
  const { id, inputs, outputs } = await make("compared");
  expect(await it.plugin.diff(urnOf("compared"), id, outputs, inputs)).toEqual({
    changes: false,
    replaces: [],
    detailed: {},
  });
  const changed = { ...inputs, description: "new", retire: "revoke" };
  expect(await it.plugin.diff(urnOf("compared"), id, outputs, changed, inputs)).toEqual({
    changes: true,
    replaces: ["description"],
    detailed: { description: "update, replace", retire: "update" },
  });
});

test("what will be replaced is said of the resource itself, with the reason", async () => {
  const { id, inputs, outputs } = await make("told");
  const news = { ...inputs, description: "new" };
  await it.plugin.check(urnOf("told"), news, { olds: inputs });
  const { inputs: checked } = await it.plugin.check(
    urnOf("told"),
    { ...capabilities, description: "new" },
    { olds: inputs },
  );
  await it.plugin.diff(urnOf("told"), id, outputs, checked, inputs);
  const told = it.plugin.told.filter(({ urn: about }) => about === urnOf("told"));
  expect(told).toEqual([
    expect.objectContaining({
      message: expect.stringMatching(/will be replaced, which creates a new secret: description changed/),
    }),
  ]);
});

test("an import reads what is live, says that the secret is not there, and never mints for inputs that differ", async () => {
  const [live] = await it.service.tokens.add([{ name: "theirs", ...capabilities }]);
  const id = String(live?.id);
  const before = creates();
  const found = await it.plugin.read(urnOf("ours"), id);
  expect(found.inputs).toEqual({ name: "theirs", ...capabilities });
  expect(found.outputs).toMatchObject({ evidence: expect.any(String) });
  expect(found.outputs).not.toHaveProperty("token");
  expect(it.plugin.told.at(-1)?.message).toContain("its secret cannot be read again");
  const { inputs } = await it.plugin.check(urnOf("ours"), { name: "theirs", orgCapabilities: { users: ["read"] } });
  await expect(it.plugin.diff(urnOf("ours"), id, found.outputs, inputs, found.inputs)).rejects.toMatchObject({
    details: expect.stringContaining(`${id} is not imported: it differs from what is declared in orgCapabilities`),
  });
  const equal = await it.plugin.check(urnOf("ours"), { name: "theirs", ...capabilities });
  expect(await it.plugin.diff(urnOf("ours"), id, found.outputs, equal.inputs, found.inputs)).toMatchObject({
    changes: false,
  });
  expect(creates()).toBe(before);
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

test("a change of the rotation alone updates what is derived of it, with the secret known to stay", async () => {
  const about = urnOf("turning");
  const expiresAt = "2031-01-01T00:00:00Z";
  const { id, inputs, outputs } = await make("turning", { expiresAt, rotation: { rotateBefore: "14d" } });
  const rotations = [[{ rotateBefore: "30d" }, "2030-12-02T00:00:00.000Z"], [undefined]] as const;
  let [declared, state] = [inputs, outputs];
  const before = creates();
  for (const [rotation, rotatesAt] of rotations) {
    const news = { ...capabilities, expiresAt, ...defined({ rotation }) };
    const { inputs: next } = await it.plugin.check(about, news, { olds: declared });
    expect(await it.plugin.diff(about, id, state, next, declared)).toEqual({
      changes: true,
      replaces: [],
      detailed: { rotation: "update" },
    });
    for (const isPreview of [true, false]) {
      const updated = (await it.plugin.update(about, id, state, next, isPreview, declared)) as Record<string, unknown>;
      expect([updated.token, updated.fingerprint]).toEqual([outputs.token, outputs.fingerprint]);
      expect([updated.rotation, updated.rotatesAt]).toEqual([rotation, rotatesAt]);
      if (!isPreview) [declared, state] = [next, updated];
    }
    expect(await it.plugin.diff(about, id, state, next, declared)).toMatchObject({ changes: false });
  }
  expect(creates()).toBe(before);
});
