import { expect, test } from "@jest/globals";
import { startTemporaryEmulator } from "../support/deployment";
import { secret, startPlugin, urnOf } from "./plugin";

test("the end that a secret length comes to is as secret as the length, and secret triggers hide none", async () => {
  await using service = await startTemporaryEmulator({ profile: "extended" });
  await using plugin = await startPlugin();
  await plugin.configure({ baseUrl: service.url, accessToken: secret(service.rootToken), profile: "extended" });
  const make = async (name: string, declared: object) => {
    const { inputs } = await plugin.check(urnOf(name), { ...declared }, { seed: name });
    const made = await plugin.create(urnOf(name), inputs);
    if (!("id" in made)) throw new Error(made.message);
    return made;
  };
  const lengths = [{ expiresIn: secret("90d") }, { rotation: { expireAfter: secret("90d"), rotateBefore: "14d" } }];
  for (const [n, length] of lengths.entries()) {
    const { outputs } = await make(`length-${n}`, length);
    const ends = [outputs.expiresAt, outputs.rotatesAt].filter((end) => end !== undefined);
    expect(ends.length).toBeGreaterThan(0);
    for (const end of ends) expect(end).toEqual(secret(expect.stringMatching(/^20/)));
  }
  const plain = expect.stringMatching(/^20/);
  const rotation = { expireAfter: "90d", rotateBefore: "14d" };
  const { outputs } = await make("triggers", { rotation: { ...rotation, triggers: { by: secret("canary") } } });
  expect(outputs).toMatchObject({ expiresAt: plain, rotatesAt: plain });
  // The end alone tells nothing of the window; how long before it the rotation is due is the secret.
  const window = await make("window", { rotation: { ...rotation, rotateBefore: secret("14d") } });
  expect(window.outputs).toMatchObject({ expiresAt: plain, rotatesAt: secret(plain) });
});
