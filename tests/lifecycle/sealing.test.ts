import { createHash } from "node:crypto";
import { expect, test } from "@jest/globals";
import { openSealed } from "../../cli/openSealed";
import { withMark } from "../../framework/incomplete";
import { isPartialCreate } from "../../framework/lifecycle";
import type { ApiTokenInputs, ApiTokenState } from "../../provider/nouns/apiToken/definition";
import { apiToken, hostedApiToken } from "../../provider/nouns/apiToken/lifecycle";
import { EventDatasets } from "../../sdk";
import { ageKey, boxKey } from "../support/keys";
import { checkWith, planOf } from "../support/session";
import { beginSession } from "./tokenWorld";

const inputs = { name: "ci-0a1b2c3", key: "ci", expiresAt: "2030-01-01T00:00:00Z" };

const check = async (news: object) => {
  const { inputs: checked, failures } = checkWith(hostedApiToken, news);
  const more = failures.length > 0 ? [] : await apiToken.check(undefined, checked, planOf()).findMore?.();
  return [...failures, ...(more ?? []).map(({ property, reason }) => `${property} ${reason}`)];
};
const replaces = (state: ApiTokenState, news: ApiTokenInputs) => apiToken.diff("t1", state, news, planOf()).replaces;

test("a sealed token is recorded as ciphertext for each recipient and a fingerprint, and works once it is opened", async () => {
  const [age, box] = [await ageKey(), await boxKey()];
  const sealFor = [age.recipient, { key: box.publicKey, keyId: "7" }];
  await using it = await beginSession();
  const { id, state } = await apiToken.create(it.session, { ...inputs, sealFor });
  expect(state).toEqual({
    ...inputs,
    sealFor,
    sealedToken: { [age.recipient]: expect.any(String), "7": expect.any(String) },
    fingerprint: expect.stringMatching(/^[0-9a-f]{12}$/),
    evidence: expect.any(String),
    record: {},
  });
  const secret = await openSealed(state.sealedToken?.[age.recipient] ?? "", age.identity);
  expect(await openSealed(state.sealedToken?.["7"] ?? "", box.privateKey)).toBe(secret);
  expect(createHash("sha256").update(secret).digest("hex").slice(0, 12)).toBe(state.fingerprint);
  expect(JSON.stringify([state, it.session.warnings])).not.toContain(secret);
  await using own = new EventDatasets({ baseUrl: it.service.url, accessToken: secret });
  expect(await own.tokens.get(id).catch((e: Error) => e.message)).toMatch(/403/);

  expect(await apiToken.read(it.session, id, state)).toMatchObject({ state: { sealedToken: state.sealedToken } });
  const updated = await apiToken.update(it.session, id, state, { ...inputs, sealFor, retire: "expire" });
  expect(updated).toEqual({ ...state, retire: "expire" });
});

test("a changed set of recipients makes a new token, and says so; order, repetition and spelling are no change", async () => {
  const [a, b] = [(await ageKey()).recipient, (await ageKey()).recipient];
  const box = { key: (await boxKey()).publicKey, keyId: "7" };
  const sealed = { sealedToken: { [a]: "x", "7": "y" }, fingerprint: "f" };
  const state: ApiTokenState = { ...inputs, sealFor: [a, box], ...sealed, record: {} };
  const spelled = { keyId: " 7", key: Buffer.from(box.key, "base64").toString("base64url") };
  const same = [
    [box, a],
    [a, box, a],
    [spelled, `${a.toUpperCase()}\n`],
  ] as const;
  for (const sealFor of same) expect(replaces(state, { ...inputs, sealFor })).toEqual([]);
  for (const sealFor of [a, [a, b], [a, box, b], [a, { ...box, keyId: "8" }], undefined])
    expect(replaces(state, { ...inputs, sealFor } as ApiTokenInputs)).toEqual(["sealFor"]);
  expect(replaces({ ...inputs, token: "plain", record: {} }, { ...inputs, sealFor: a })).toEqual(["sealFor"]);
  expect(apiToken.diff("t1", state, { ...inputs, sealFor: b }, planOf()).notice).toContain(
    "will be replaced, which creates a new secret: sealFor changed",
  );
});

test.each([
  ["an SSH key", "ssh-ed25519 AAAA me", "sealFor must be an age recipient"],
  ["a short key", [{ key: "AAAA", keyId: "7" }], "sealFor.0 needs a key of 32 bytes (X25519) in base64"],
  ["a checksum that is wrong", `age1${"q".repeat(58)}`, "sealFor cannot be used: nothing can be sealed for age1qqq"],
])("sealing for %s is refused before there is a token", async (_, sealFor, reason) => {
  expect(await check({ ...inputs, sealFor })).toEqual([expect.stringContaining(reason)]);
});

test("a secret recipient is named in no message", async () => {
  await using it = await beginSession();
  const mistyped = `age1${"p".repeat(58)}`;
  const secret = { ...inputs, sealFor: mistyped, secretInputs: ["sealFor"] };
  const reason = "nothing can be sealed for a secret recipient: its key is not a valid age recipient";
  expect(await check(secret)).toEqual([`sealFor cannot be used: ${reason}`]);
  const failure = await apiToken.create(it.session, secret).catch((e: Error) => e.message);
  expect(failure).toContain(reason);
  expect(failure).not.toContain(mistyped);
});

test("a secret that cannot be sealed after all leaves a lost token with its id, which the next update replaces", async () => {
  await using it = await beginSession();
  const sealFor = { key: Buffer.alloc(32).toString("base64"), keyId: "7" };
  const failure = await apiToken.create(it.session, { ...inputs, sealFor }).catch((e: unknown) => e);
  if (!isPartialCreate(failure)) throw failure;
  const [live] = it.service.tokens.list();
  expect(failure).toMatchObject({ id: live?.id, state: { ...inputs, sealFor } });
  expect(failure.message).toContain("its secret could not be sealed and is gone: nothing can be sealed for 7");
  expect(JSON.stringify(failure.state)).not.toContain("xaat-");
  expect(replaces((withMark(failure, {}) as typeof failure).state as ApiTokenState, { ...inputs, sealFor })).toEqual([
    "token",
  ]);
});

test("adoption: a secret of the program is refused; without one, nothing is sealed until the token is replaced", async () => {
  const { recipient: sealFor } = await ageKey();
  const adopt = { id: "t1" };
  expect(await check({ ...inputs, sealFor, adopt: { ...adopt, token: "xaat-canary-0123456789" } })).toEqual([
    "adopt.token cannot be set together with sealFor: this secret has been through the program and the engine's state",
  ]);
  await using it = await beginSession();
  const { id } = await it.session.client.tokens.create({ name: inputs.name, expiresAt: inputs.expiresAt });
  const { state } = await apiToken.create(it.session, { ...inputs, sealFor, adopt: { id } });
  expect(Object.keys(state)).not.toEqual(expect.arrayContaining(["token"]));
  expect(state.sealedToken).toBeUndefined();
  const updated = await apiToken.update(it.session, id, state, { ...inputs, sealFor });
  expect(replaces(updated, { ...inputs, sealFor })).toEqual([]);
  expect(it.calls().filter((call) => call.startsWith("POST"))).toHaveLength(1);
});
