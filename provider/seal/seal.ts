import { loadAge, loadSodium, MissingLibrary } from "./libraries";
import type { Recipient, SealFormat } from "./recipients";

/** Seals a text for one key: the library's own format, as text. */
type Sealer = (text: string, key: string) => Promise<string>;

/** Keys and formats are the libraries': an age file in ASCII armor, and a sealed box in base64 as GitHub takes it. */
const sealers: Readonly<Record<SealFormat, Sealer>> = {
  async age(text, key) {
    const { armor, Encrypter } = await loadAge();
    const encrypter = new Encrypter();
    encrypter.addRecipient(key);
    return armor.encode(await encrypter.encrypt(text));
  },
  async "sealed box"(text, key) {
    const sodium = await loadSodium();
    const box = sodium.crypto_box_seal(text, sodium.from_base64(key, sodium.base64_variants.ORIGINAL));
    return sodium.to_base64(box, sodium.base64_variants.ORIGINAL);
  },
};

/**
 * Seals a text for each recipient by itself, by the recipients' names.
 * @throws Error if there is no recipient, or one that names the recipient that it fails for; nothing of the text is in it or in its cause
 */
export async function sealText(text: string, recipients: readonly Recipient[]): Promise<Record<string, string>> {
  if (recipients.length === 0) throw new Error("nobody is named to seal it for");
  const sealed: Record<string, string> = {};
  for (const { format, name, key } of recipients) {
    try {
      sealed[name] = await sealers[format](text, key);
    } catch (failure) {
      if (failure instanceof MissingLibrary) throw failure;
      // The library's own words may hold what it was working on.
      throw new Error(`nothing can be sealed for ${name}: its key is not a valid ${keyKinds[format]}`);
    }
  }
  return sealed;
}

const keyKinds: Readonly<Record<SealFormat, string>> = { age: "age recipient", "sealed box": "X25519 key" };

/** Recipients that something was sealed for in this process: many tokens have the same. */
const proven = new Set<string>();

/**
 * Seals a text without meaning for each recipient, which finds what can be found before there is a secret: a library that is
 * not installed, a checksum, a text that is not a key.
 * @returns why sealing would fail, for each recipient of which that is so
 */
export async function rehearseSealing(recipients: readonly Recipient[]): Promise<string[]> {
  const reasons = new Set<string>();
  for (const recipient of recipients) {
    const id = `${recipient.format} ${recipient.key}`;
    if (proven.has(id)) continue;
    try {
      await sealText("rehearsal", [recipient]);
      proven.add(id);
    } catch (failure) {
      reasons.add((failure as Error).message);
    }
  }
  return [...reasons];
}
