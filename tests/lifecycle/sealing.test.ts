import { createHash } from "node:crypto";
import { expect, test } from "@jest/globals";
import { openSealed } from "../../cli/open";
import { secret } from "../../framework/testing";
import { EventDatasets } from "../../sdk";
import { ageKey, boxKey } from "../support/keys";
import { begin, token } from "../support/story";

test("a sealed token is recorded as ciphertext for each recipient and a fingerprint, and works once it is opened", async () => {
  const [age, box] = [await ageKey(), await boxKey()];
  const sealFor = [age.recipient, { key: box.publicKey, keyId: "7" }];
  await using it = await begin("documented");
  await it.declare({ sealFor });
  const state = it.state();
  const { sealedToken = {}, fingerprint } = state;
  expect(Object.keys(sealedToken).toSorted()).toEqual(["7", age.recipient]);
  expect(state).not.toHaveProperty("token");
  const opened = await openSealed(sealedToken[age.recipient] ?? "", age.identity);
  expect(await openSealed(sealedToken["7"] ?? "", box.privateKey)).toBe(opened);
  expect(createHash("sha256").update(opened).digest("hex").slice(0, 12)).toBe(fingerprint);
  expect(JSON.stringify([it.stack.resources, it.stack.told])).not.toContain(opened);
  await using own = new EventDatasets({ baseUrl: it.service.url, accessToken: opened });
  expect(await own.tokens.get(it.id()).catch((e: Error) => e.message)).toMatch(/403/);

  await it.refresh();
  expect(it.state()).toEqual(state);
  await it.declare({ sealFor, retire: "expire" });
  expect(it.state()).toMatchObject({ sealedToken, fingerprint, retire: "expire" });
});

test("a changed set of recipients makes a new token, and says so; order, repetition and spelling are no change", async () => {
  const [a, b] = [(await ageKey()).recipient, (await ageKey()).recipient];
  const box = { key: (await boxKey()).publicKey, keyId: "7" };
  await using it = await begin();
  await it.declare({ sealFor: [a, box] });
  const preview = async (sealFor: unknown) => {
    const { found, words } = await it.preview({ ci: token({ sealFor }) });
    return [found.ci?.replaces, words.includes("creates a new secret: sealFor changed")];
  };
  const spelled = { keyId: " 7", key: Buffer.from(box.key, "base64").toString("base64url") };
  for (const same of [
    [box, a],
    [a, box, a],
    [spelled, `${a.toUpperCase()}\n`],
  ])
    expect(await preview(same)).toEqual([[], false]);
  for (const other of [a, [a, b], [a, box, b], [a, { ...box, keyId: "8" }], undefined])
    expect(await preview(other)).toEqual([["sealFor"], true]);
  await it.declare();
  expect(await preview(a)).toEqual([["sealFor"], true]);
});

const mistyped = `age1${"q".repeat(58)}`;
const cannot = (recipient: string) =>
  `sealFor cannot be used: nothing can be sealed for ${recipient}: its key is not a valid`;
test.each([
  ["an SSH key", { sealFor: "ssh-ed25519 AAAA me" }, "sealFor must be an age recipient"],
  ["a short key", { sealFor: [{ key: "AAAA", keyId: "7" }] }, "sealFor.0 needs a key of 32 bytes (X25519) in base64"],
  ["a checksum that is wrong", { sealFor: mistyped }, cannot(mistyped)],
  ["a secret one", { sealFor: secret(mistyped) }, cannot("a secret recipient")],
  [
    "a token whose secret has been through the program",
    { sealFor: `age1${"p".repeat(58)}`, name: "ci", adopt: { id: "t1", token: "xaat-canary-0123456789" } },
    "adopt.token cannot be set together with sealFor: this secret has already passed through the program and the engine's state",
  ],
])("sealing for %s is refused before there is a token", async (_, args, reason) => {
  await using it = await begin();
  const { failures } = await it.run({ command: "up", program: { ci: token(args) } });
  expect(failures).toEqual([expect.stringContaining(reason)]);
  expect(it.writes()).toEqual([]);
});

test.each([
  [{}, "7"],
  [{ secretInputs: ["sealFor"] }, "a secret recipient"],
])(
  "a secret that cannot be sealed after all leaves a lost token, which the next update replaces (%j)",
  async (hints, recipient) => {
    await using it = await begin();
    const sealFor = { key: Buffer.alloc(32).toString("base64"), keyId: "7" };
    // No check runs after a policy pack has changed the inputs.
    const remediate = (_name: string, inputs: object) => ({ ...inputs, ...hints, sealFor });
    const { failures } = await it.run({ command: "up", program: { ci: token() }, remediate });
    expect(failures).toEqual([
      expect.stringContaining(`its secret could not be sealed and is gone: nothing can be sealed for ${recipient}`),
    ]);
    expect(it.ids()).toEqual([it.id()]);
    expect(JSON.stringify(it.stack.resources)).not.toContain("xaat-");
    expect((await it.preview()).found.ci?.replaces).toContain("token");
  },
);

test("without a secret, an adopted token is sealed when it is replaced", async () => {
  const { recipient: sealFor } = await ageKey();
  await using it = await begin();
  const args = { name: "by-hand", sealFor };
  const { id } = await it.client.tokens.create({ name: "by-hand", expiresAt: "2099-01-01T00:00:00Z" });
  await it.declare({ ...args, adopt: { id } });
  expect(await it.declare(args)).toBe(id);
  expect(it.state()).not.toMatchObject({ sealedToken: expect.anything() });
  expect(it.state()).not.toHaveProperty("token");
  await it.declare({ ...args, description: "new" });
  expect(Object.keys(it.state().sealedToken ?? {})).toEqual([sealFor]);
});
