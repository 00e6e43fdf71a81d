import { shapeOf } from "../../../framework/shapes";
import { makePrintable } from "../../../values/printable";

/**
 * Public keys for which a secret is sealed, read without a library. `rehearseSealing` finds the faults that only a library can
 * find: a wrong checksum, an invalid point.
 */

/** A public key in GitHub's form: an X25519 key in base64, and its id. */
export interface SealedBoxKey {
  readonly key: string;
  readonly keyId: string;
}

/** An age recipient (`age1…`), or a sealed box's public key. */
export type SealRecipient = string | SealedBoxKey;

export type SealFormat = "age" | "sealed box";

/** A recipient in its canonical spelling. */
export interface Recipient {
  readonly format: SealFormat;
  /** The key of its sealed value in `sealedToken`: the age recipient itself, or the id of the key. */
  readonly name: string;
  readonly key: string;
}

/** Bech32, as age writes it. 32 bytes are 58 letters; the other kinds of keys have their own prefix and length. */
const letters = "[qpzry9x8gf2tvdw0s3jn54khce6mua7l]";
const ageRecipient = new RegExp(`^age1(${letters}{58}|(pq|tag|tagpq)1${letters}+)$`);

const x25519KeyBytes = 32;

/** GitHub uses digits. The id becomes the name of a member, so names such as `__proto__` are excluded. */
const keyIdText = /^[A-Za-z0-9][\w.:+/=-]{0,199}$/;

/** Reads one or several recipients. The reasons quote nothing, because the user may have given a private key by mistake. */
export function readRecipients(sealFor: unknown): {
  readonly recipients: readonly Recipient[];
  readonly malformed: readonly { readonly at?: string; readonly reason: string }[];
} {
  const values: readonly unknown[] = Array.isArray(sealFor) ? sealFor : [sealFor];
  const byName = new Map<string, Recipient>();
  const malformed: { at?: string; reason: string }[] = [];
  if (values.length === 0)
    malformed.push({ reason: "must have at least one recipient, or the secret would not be sealed" });
  for (const [index, value] of values.entries()) {
    const at = Array.isArray(sealFor) ? { at: String(index) } : {};
    const read = readRecipient(value);
    if (typeof read === "string") malformed.push({ ...at, reason: read });
    else if ((byName.get(read.name) ?? read).key === read.key) byName.set(read.name, read);
    else malformed.push({ ...at, reason: "has the keyId of another recipient, but another key" });
  }
  return { recipients: [...byName.values()], malformed };
}

/** Returns a recipient in its canonical spelling, or the reason why the value is not one. */
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
  if (/^AGE-SECRET-KEY-/i.test(text)) return 'is a private key: set the public key instead ("age-keygen -y" prints it)';
  const key = text === text.toUpperCase() ? text.toLowerCase() : text;
  if (ageRecipient.test(key)) return { format: "age", name: key, key };
  if (!key.startsWith("age1")) return "must be an age recipient (age1…) or { key, keyId }";
  return "is not an age recipient: check its length and letters. Recipients of age plugins are not supported";
}

/** Accepts both alphabets of base64, with or without padding. */
const decodeBase64 = (text: string): Buffer | undefined =>
  /^[\w+/-]+={0,2}$/.test(text) ? Buffer.from(text, "base64") : undefined;

/** The key of a recipient's value in `sealedToken`; undefined if the value is not a recipient. */
export const recipientName = (recipient: unknown): string | undefined => readRecipients(recipient).recipients[0]?.name;

/**
 * The value that is sealed for a recipient, or the only value if no recipient is given.
 * @param isSecret whether the recipients are secret
 * @throws Error if it is sealed, but not for this one
 */
export function findSealed(
  sealedToken: Readonly<Record<string, string>> | undefined,
  recipient: unknown,
  isSecret = false,
): string | undefined {
  if (!sealedToken) return undefined;
  const names = Object.keys(sealedToken);
  const name = recipient === undefined && names.length === 1 ? names[0] : recipientName(recipient);
  if (name !== undefined && Object.hasOwn(sealedToken, name)) return sealedToken[name];
  const wanted =
    recipient === undefined ? "sealedFor() needs a recipient" : "the token is not sealed for this recipient";
  throw makePrintable(new Error(`${wanted}: it is sealed for ${isSecret ? "secret ones" : names.join(", ")}`));
}

/** The recipients as a set, to compare: order and spelling are ignored. */
export function canonicalRecipients(sealFor: unknown): readonly (readonly string[])[] | undefined {
  if (sealFor === undefined || sealFor === null) return undefined;
  return readRecipients(sealFor)
    .recipients.map(({ name, key }) => [name, key] as const)
    .sort(([a], [b]) => (a < b ? -1 : 1));
}

/** A recipient or a list of recipients. */
export const recipients = shapeOf<SealRecipient | readonly SealRecipient[]>(
  canonicalRecipients,
  (value) => readRecipients(value).malformed,
);
