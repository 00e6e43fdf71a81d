import { expect, test } from "@jest/globals";
import { startTemporaryEmulator } from "../support/deployment";
import { forms } from "../support/forms";
import { startForm } from "./eachForm";
import { secret } from "./plugin";

test.each(forms)(
  "an expiry computed from a secret duration is secret in every hook; secret triggers hide no expiry (%s)",
  async (form) => {
    await using service = await startTemporaryEmulator({ profile: "extended" });
    const settings = { baseUrl: service.url, accessToken: service.rootToken, profile: "extended" };
    await using provider = await startForm(form, settings);
    const make = async (name: string, declared: object) => {
      const { inputs, reasons } = await provider.check("ApiToken", name, { ...declared });
      expect(reasons).toEqual([]);
      const made = await provider.create("ApiToken", name, inputs);
      if (!("id" in made)) throw new Error(made.message);
      const read = await provider.read("ApiToken", name, made, inputs);
      const updated = await provider.update("ApiToken", name, made, { ...inputs, retire: "expire" });
      const expiresAt = service.tokens.list().find(({ id }) => id === made.id)?.expiresAt;
      return { all: [made.outputs, read.outputs, updated], expiresAt };
    };
    const hidden = secret(expect.stringMatching(/^20/));
    const plain = expect.stringMatching(/^20/);
    // Only the plugin records when the rotation is due: the other form's program computes it.
    const rotatesAt = (value: unknown) => (form === "native" ? { rotatesAt: value } : {});
    const lengths = [
      { declared: { expiresIn: secret("90d") }, shown: { expiresAt: hidden } },
      {
        declared: { rotation: { expireAfter: secret("90d"), rotateBefore: "14d" } },
        shown: { expiresAt: hidden, ...rotatesAt(hidden) },
      },
      {
        declared: { rotation: { expireAfter: "90d", rotateBefore: "14d", triggers: { by: secret("canary") } } },
        shown: { expiresAt: plain, ...rotatesAt(plain) },
      },
      {
        // The expiry tells nothing of the window; how long before it the rotation is due is the secret.
        declared: { rotation: { expireAfter: "90d", rotateBefore: secret("14d") } },
        shown: { expiresAt: plain, ...rotatesAt(hidden) },
      },
    ];
    for (const [n, { declared, shown }] of lengths.entries()) {
      const { all, expiresAt } = await make(`length-${n}`, declared);
      for (const outputs of all) {
        expect(outputs).toMatchObject(shown);
        if (shown.expiresAt !== hidden) continue;
        const { expiresAt: end, rotatesAt: _, secretRecord: __, ...rest } = outputs;
        expect(end).toEqual(secret(expect.anything()));
        expect(JSON.stringify(rest)).not.toContain(String(expiresAt).slice(0, 16));
      }
    }
  },
);

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
    expect(first.inputs).toMatchObject({ name: secret("a-secret-name"), secretInputs: ["name"] });
    const second = await provider.check("ApiToken", "taken", {}, { olds: first.inputs });
    const third = await provider.check("ApiToken", "taken", { description: "of CI" }, { olds: second.inputs });
    for (const { inputs, reasons } of [second, third]) {
      expect(reasons).toEqual([]);
      expect(inputs).toMatchObject({ name: secret("a-secret-name"), secretInputs: ["name"] });
    }
  },
);
