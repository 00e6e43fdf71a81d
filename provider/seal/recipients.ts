/**
 * Whom a secret is sealed for: public keys, read without loading a library. What takes one to tell (a checksum, a point that is
 * none) is found by `rehearse`.
 */

/** A public key of a GitHub kind: base64 of an X25519 key, and the id under which its owner knows it. */
export interface SealedBoxKey {
  readonly key: string;
  readonly keyId: string;
}

/** An age recipient (`age1…`), or a sealed box's public key. */
export type SealRecipient = string | SealedBoxKey;

export type SealFormat = "age" | "sealed box";

/** A recipient in its one spelling. */
export interface Recipient {
  readonly format: SealFormat;
  /** What its sealed value is found under: the age recipient itself, or the key id. */
  readonly name: string;
  readonly key: string;
}

interface Malformed {
  readonly at?: string;
  readonly reason: string;
}

/** Bech32, as age writes it: 32 bytes are 58 letters; the other kinds have their own beginning and length. */
const letters = "[qpzry9x8gf2tvdw0s3jn54khce6mua7l]";
const ageRecipient = new RegExp(`^age1(${letters}{58}|(pq|tag|tagpq)1${letters}+)$`);

const x25519KeyBytes = 32;

/** GitHub's are digits. It becomes the name of a member, so nothing that means something to the language. */
const keyIdText = /^[A-Za-z0-9][\w.:+/=-]{0,199}$/;

/** One or several recipients, and what is wrong with them. The reasons quote nothing: a private key may stand there by mistake. */
export function readRecipients(sealFor: unknown): {
  readonly recipients: readonly Recipient[];
  readonly malformed: readonly Malformed[];
} {
  if (!Array.isArray(sealFor)) return gather([[undefined, sealFor]]);
  if (sealFor.length === 0)
    return {
      recipients: [],
      malformed: [{ reason: "must hold at least one recipient, or the secret would not be sealed" }],
    };
  return gather(sealFor.map((value, at) => [String(at), value]));
}

function gather(values: readonly (readonly [at: string | undefined, value: unknown])[]) {
  const byName = new Map<string, Recipient>();
  const malformed: Malformed[] = [];
  for (const [at, value] of values) {
    const read = readRecipient(value);
    const reason = typeof read === "string" ? read : doubleReason(byName.get(read.name), read);
    if (reason !== undefined) malformed.push(at === undefined ? { reason } : { at, reason });
    else if (typeof read !== "string") byName.set(read.name, read);
  }
  return { recipients: [...byName.values()], malformed };
}

const doubleReason = (other: Recipient | undefined, recipient: Recipient): string | undefined =>
  other && other.key !== recipient.key ? "has the keyId of another recipient, but another key" : undefined;

/** A recipient in its one spelling, or why it is none. */
function readRecipient(value: unknown): Recipient | string {
  if (typeof value === "string") return readAge(value.trim());
  if (typeof value !== "object" || value === null) return "must be an age recipient (age1…) or { key, keyId }";
  const { key, keyId } = value as Partial<Record<keyof SealedBoxKey, unknown>>;
  if (typeof keyId !== "string" || !keyIdText.test(keyId.trim())) return "needs a keyId, the id of its key";
  const bytes = typeof key === "string" ? decodeBase64(key.trim()) : undefined;
  if (bytes?.length !== x25519KeyBytes) return `needs a key of ${x25519KeyBytes} bytes (X25519) in base64`;
  return { format: "sealed box", name: keyId.trim(), key: bytes.toString("base64") };
}

function readAge(text: string): Recipient | string {
  if (/^AGE-SECRET-KEY-/i.test(text)) return 'is a private key: give its public one ("age-keygen -y" prints it)';
  if (/^(ssh|ecdsa|sk)-/.test(text))
    return "is an SSH key, which the package age-encryption cannot seal for: make an age key";
  const key = text === text.toUpperCase() ? text.toLowerCase() : text;
  if (ageRecipient.test(key)) return { format: "age", name: key, key };
  if (!key.startsWith("age1")) return "must be an age recipient (age1…) or { key, keyId }";
  const plugin = /^age1[a-z0-9-]+1/.test(key) && !/^age1(pq|tag|tagpq)1/.test(key);
  return plugin
    ? "is the recipient of an age plugin, which is not supported"
    : "is not an age recipient: check its length and letters";
}

/** Either alphabet, with or without padding. */
function decodeBase64(text: string): Buffer | undefined {
  return /^[\w+/-]+={0,2}$/.test(text) ? Buffer.from(text, "base64") : undefined;
}

/** What its sealed value is found under; undefined if it is no recipient. */
export const recipientName = (recipient: unknown): string | undefined => readRecipients(recipient).recipients[0]?.name;

/** The recipients as a set: neither their order nor their spelling makes a difference. */
export function canonicalRecipients(sealFor: unknown): readonly (readonly string[])[] | undefined {
  if (sealFor === undefined || sealFor === null) return undefined;
  return readRecipients(sealFor)
    .recipients.map(({ name, key }) => [name, key] as const)
    .sort(([a], [b]) => (a < b ? -1 : 1));
}
