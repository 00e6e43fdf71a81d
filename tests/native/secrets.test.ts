import { describe, expect, test } from "@jest/globals";
import type { ResourceName } from "../../provider/nouns";
import { startTemporaryEmulator } from "../support/deployment";
import { forms } from "../support/forms";
import { startForm } from "./eachForm";
import { secret } from "./plugin";

test.each(forms)("a drifted expiry of a token with a secret expiry is recorded as secret (%s)", async (form) => {
  await using service = await startTemporaryEmulator({ profile: "extended" });
  const settings = { baseUrl: service.url, accessToken: service.rootToken, profile: "extended" };
  await using provider = await startForm(form, settings);
  const { inputs } = await provider.check("ApiToken", "ci", { expiresIn: secret("90d") });
  const made = await provider.create("ApiToken", "ci", inputs);
  if (!("id" in made)) throw new Error(made.message);
  const other = "2031-05-06T07:08:09Z";
  const { expiresAt } = made.outputs;
  // As it was recorded when the live expiry was another one.
  const drifted = { ...made, outputs: { ...made.outputs, expiresAt: secret(other) } };
  const read = await provider.read("ApiToken", "ci", drifted, inputs);
  expect(read.outputs).toMatchObject({ expiresAt, secretRecord: secret({ declared: { expiresAt: other } }) });
  expect(JSON.stringify({ ...read.outputs, secretRecord: 0 })).not.toContain(other);
});

test.each(forms)(
  "a name that was adopted as a secret stays secret after it is removed from the program (%s)",
  async (form) => {
    const settings = { baseUrl: "http://127.0.0.1:1", accessToken: "xaat-root", profile: "extended" };
    await using provider = await startForm(form, settings);
    const adopt = secret({ name: "a-secret-name" });
    const first = await provider.check("ApiToken", "taken", { adopt });
    expect(first.inputs).toMatchObject({ name: secret("a-secret-name"), secretInputs: ["adopt", "name"] });
    const second = await provider.check("ApiToken", "taken", {}, { olds: first.inputs });
    const third = await provider.check("ApiToken", "taken", { description: "of CI" }, { olds: second.inputs });
    for (const { inputs, reasons } of [second, third]) {
      expect(reasons).toEqual([]);
      expect(inputs).toMatchObject({ name: secret("a-secret-name"), secretInputs: ["name"] });
    }
  },
);

describe.each(forms)("in the %s form, a secret that an object keeps after it left the program stays secret", (form) => {
  const start = async () => {
    const service = await startTemporaryEmulator({ profile: "extended" });
    const settings = { baseUrl: service.url, accessToken: service.rootToken, profile: "extended" };
    const provider = await startForm(form, settings);
    const change = async (
      type: ResourceName,
      made: { id: string; outputs: object },
      olds: object,
      declared: object,
    ) => {
      const { inputs, reasons } = await provider.check(type, "one", { ...declared }, { olds: { ...olds } });
      expect(reasons).toEqual([]);
      const before = { ...made, outputs: { ...made.outputs } };
      expect((await provider.diff(type, "one", before, inputs)).replaces).toEqual([]);
      return { id: made.id, inputs, outputs: await provider.update(type, "one", before, inputs) };
    };
    const create = async (type: ResourceName, declared: object) => {
      const { inputs, reasons } = await provider.check(type, "one", { ...declared });
      expect(reasons).toEqual([]);
      const made = await provider.create(type, "one", inputs);
      if (!("id" in made)) throw new Error(made.message);
      return { ...made, inputs };
    };
    const read = async (type: ResourceName, made: { id: string; outputs: object; inputs: object }) =>
      provider.read(type, "one", { ...made, outputs: { ...made.outputs } }, { ...made.inputs });
    const end = async () => {
      await provider[Symbol.asyncDispose]();
      await service[Symbol.asyncDispose]();
    };
    return { service, create, change, read, [Symbol.asyncDispose]: end };
  };

  test("the time of an annotation, also where it is recorded as the moment that the annotation is to keep", async () => {
    await using it = await start();
    const time = "2031-05-06T07:08:09Z";
    const fields = { datasets: ["web"], type: "deploy" };
    const first = await it.create("Annotation", { ...fields, time: secret(time) });
    const second = await it.change("Annotation", first, first.inputs, { ...fields, title: "of 2031" });
    await it.service.annotations.change(first.id, { time: "2030-01-01T00:00:00Z" });
    const drifted = await it.read("Annotation", second);
    const third = await it.change("Annotation", drifted, drifted.inputs, { ...fields, retain: true });
    expect(it.service.annotations.list()).toMatchObject([{ time }]);
    for (const { outputs } of [first, second, third]) {
      expect(outputs.time).toEqual(secret(time));
      expect(JSON.stringify({ ...outputs, time: 0, secretRecord: 0 })).not.toContain("05-06T07");
    }
    const late = it.change("Annotation", third, third.inputs, { ...fields, endTime: "2030-01-01T00:00:00Z" });
    await expect(late).rejects.toThrow(/endTime must not be before time$/);
  });

  test("the description of a token that its own resource adopts", async () => {
    await using it = await start();
    const first = await it.create("ApiToken", { name: "ci", description: secret("hidden") });
    const adopting = { name: "ci", adopt: { id: first.id } };
    const second = await it.change("ApiToken", first, first.inputs, adopting);
    const third = await it.change("ApiToken", second, second.inputs, { ...adopting, retire: "revoke" });
    for (const { outputs } of [first, second, third]) {
      expect(outputs.description).toEqual(secret("hidden"));
      expect(JSON.stringify({ ...outputs, description: 0, secretRecord: 0 })).not.toContain("hidden");
    }
  });
});
