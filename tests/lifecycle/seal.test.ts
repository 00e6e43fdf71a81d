import { inspect } from "node:util";
import { expect, jest, test } from "@jest/globals";
import { Encrypter } from "age-encryption";
import fc from "fast-check";
import sodium from "libsodium-wrappers";
import { openSealed } from "../../cli/open";
import { canonicalRecipients, readRecipients } from "../../provider/shared/seal/recipients";
import { rehearseSealing, sealText } from "../../provider/shared/seal/seal";
import { runsOf } from "../fuzz/random";
import { ageKey, boxKey } from "../support/keys";

const secret = "xaat-canary-0123456789abcdef";
const keyId = "568250167242549743";
const seal = (sealFor: unknown) => sealText(secret, readRecipients(sealFor).recipients);

test("each of several recipients opens its own value, also out of the JSON of all, and no other key does", async () => {
  const [age, second, box] = [await ageKey(), await ageKey(), await boxKey()];
  const sealed = await seal([age.recipient, { key: box.publicKey, keyId }, second.recipient]);
  expect(Object.keys(sealed).sort()).toEqual([keyId, age.recipient, second.recipient].sort());
  const { [age.recipient]: file = "", [keyId]: value = "" } = sealed;
  expect(file).toMatch(/^-----BEGIN AGE ENCRYPTED FILE-----\n[\s\S]*\n-----END AGE ENCRYPTED FILE-----\n$/);
  expect(value).toMatch(/^[A-Za-z0-9+/]+=*$/);
  const withComments = `# created: 2026-11-21T12:00:00Z\n# public key: ${age.recipient}\n${age.identity}\n`;
  for (const [text, identity] of [
    [file, withComments],
    [value, box.privateKey],
    [JSON.stringify(value), box.privateKey],
    ...[age.identity, second.identity, box.privateKey, `${box.privateKey}\r\n\n${age.identity}\n`].map(
      (one) => [JSON.stringify(sealed), one] as const,
    ),
  ] as const)
    expect(await openSealed(text, identity)).toBe(secret);
  const refused = "sealed for another key, or damaged";
  await expect(openSealed(file, second.identity)).rejects.toThrow(refused);
  await expect(openSealed(value, (await boxKey()).privateKey)).rejects.toThrow(refused);
});

test("the bytes that a library seals are overwritten afterwards, also if sealing fails", async () => {
  await sodium.ready;
  const [age, box] = [await ageKey(), await boxKey()];
  const encrypt = jest.spyOn(Encrypter.prototype, "encrypt");
  const sealBox = jest.spyOn(sodium, "crypto_box_seal");
  try {
    const sealed = await seal([age.recipient, { key: box.publicKey, keyId }]);
    expect(await openSealed(sealed[age.recipient] ?? "", age.identity)).toBe(secret);
    encrypt.mockRejectedValueOnce(new Error("of the library"));
    await expect(seal(age.recipient)).rejects.toThrow("nothing can be sealed");
    const given = [...encrypt.mock.calls, ...sealBox.mock.calls].map(([bytes]) => bytes);
    expect(given).toEqual(Array(3).fill(new Uint8Array(secret.length)));
  } finally {
    jest.restoreAllMocks();
  }
});

test.each([
  ["an identity without a key", "# nothing\n", "the identity contains no private key"],
  ["the wrong kind of identity", Buffer.alloc(32, 7).toString("base64"), "the identity contains no age key"],
  ["an identity that is damaged", "AGE-SECRET-KEY-1CANARYCANARYCANARY", "sealed for another key, or damaged"],
])("%s is refused without a word of it", async (_, identity, reason) => {
  const [value = ""] = Object.values(await seal((await ageKey()).recipient));
  const failure = await openSealed(value, identity).catch((e: Error) => e);
  expect((failure as Error).message).toContain(reason);
  expect(inspect(failure)).not.toContain("CANARY");
});

test.each([
  ["nothing", "  \n", "there is no sealed value"],
  ["damaged JSON", '{"age1', "the sealed value is damaged JSON"],
  ["JSON without a text", '{"a":1}', "there is no sealed value"],
  ["another text", "hello", "sealed for another key, or damaged"],
])("%s is not opened, and the reason is plain", async (_, value, reason) => {
  await expect(openSealed(value, (await boxKey()).privateKey)).rejects.toThrow(reason);
});

test.each([
  ["a number", 7, "must be an age recipient (age1…) or { key, keyId }"],
  ["null", null, "must be an age recipient (age1…) or { key, keyId }"],
  ["no recipient at all", [], "must have at least one recipient, or the secret would not be sealed"],
  [
    "a private key",
    "AGE-SECRET-KEY-1CANARY",
    'is a private key: set the public key instead ("age-keygen -y" prints it)',
  ],
  ["an SSH key", "ssh-ed25519 AAAACANARY me", "must be an age recipient (age1…) or { key, keyId }"],
  [
    "an age plugin",
    "age1yubikey1qcanary",
    "is not an age recipient: check its length and letters. Recipients of age plugins are not supported",
  ],
  ["a shortened key", `age1${"q".repeat(57)}`, "is not an age recipient: check its length and letters"],
  ["a letter that there is none of", `age1${"b".repeat(58)}`, "is not an age recipient"],
  ["a bare GitHub key", Buffer.alloc(32).toString("base64"), "must be an age recipient (age1…) or { key, keyId }"],
  ["31 bytes", { key: Buffer.alloc(31).toString("base64"), keyId }, "needs a key of 32 bytes (X25519) in base64"],
  ["no base64", { key: "CANARY CANARY", keyId }, "needs a key of 32 bytes (X25519) in base64"],
  ["a key without its id", { key: Buffer.alloc(32).toString("base64") }, "needs a keyId, the id of its key"],
  ["an id that cannot be a name", { key: "", keyId: "__proto__" }, "needs a keyId, the id of its key"],
])("as a recipient %s is refused, without being quoted", (_, value, reason) => {
  const { recipients, malformed } = readRecipients(value);
  expect([recipients, malformed]).toEqual([[], [{ reason: expect.stringContaining(reason) }]]);
  expect(JSON.stringify(malformed)).not.toContain("CANARY");
});

test("whatever is declared as recipients is read or refused, and nothing is thrown or quoted", () => {
  fc.assert(
    fc.property(fc.anything(), (value) => {
      const { recipients, malformed } = readRecipients(value);
      canonicalRecipients(value);
      return recipients.length + malformed.length > 0;
    }),
    { numRuns: runsOf(1_000) },
  );
});

test("of several recipients the wrong one is named, and one key id cannot stand for two keys", () => {
  const key = (byte: number) => ({ key: Buffer.alloc(32, byte).toString("base64"), keyId });
  expect(readRecipients([key(1), key(2), "age1"]).malformed).toEqual([
    { at: "1", reason: "has the keyId of another recipient, but another key" },
    { at: "2", reason: expect.stringContaining("is not an age recipient: check its length and letters") },
  ]);
});

test("a rehearsal finds the checksum and the key that only a library can tell, by name", async () => {
  const { recipient } = await ageKey();
  const [last = ""] = recipient.slice(-1);
  const mistyped = recipient.slice(0, -1) + (last === "q" ? "p" : "q");
  const zero = { key: Buffer.alloc(32).toString("base64"), keyId: "zero" };
  const { recipients, malformed } = readRecipients([recipient, mistyped, zero]);
  expect(malformed).toEqual([]);
  expect(await rehearseSealing(recipients)).toEqual([
    `nothing can be sealed for ${mistyped}: its key is not a valid age recipient`,
    "nothing can be sealed for zero: its key is not a valid X25519 key",
  ]);
  // A recipient that was sealed for is not tried again: a stack can have many tokens for it.
  using encode = jest.spyOn(TextEncoder.prototype, "encode");
  expect(await rehearseSealing(recipients.slice(0, 1))).toEqual([]);
  expect(encode).not.toHaveBeenCalledWith("rehearsal");
});
