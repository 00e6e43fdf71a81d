import { loadAge, loadSodium } from "./libraries";
import type { Recipient, SealFormat } from "./recipients";

/** Seals bytes for one key, and returns the library's format as text. */
type Sealer = (bytes: Uint8Array, key: string) => Promise<string>;

/** The libraries define keys and formats: an age file in ASCII armor, and a sealed box in base64 as GitHub takes it. */
const loadSealer: Readonly<Record<SealFormat, () => Promise<Sealer>>> = {
  async age() {
    const { armor, Encrypter } = await loadAge();
    return async (bytes, key) => {
      const encrypter = new Encrypter();
      encrypter.addRecipient(key);
      return armor.encode(await encrypter.encrypt(bytes));
    };
  },
  async "sealed box"() {
    const sodium = await loadSodium();
    const { ORIGINAL } = sodium.base64_variants;
    return async (bytes, key) =>
      sodium.to_base64(sodium.crypto_box_seal(bytes, sodium.from_base64(key, ORIGINAL)), ORIGINAL);
  },
};

/**
 * Seals a text separately for each recipient. The libraries get bytes, because bytes can be overwritten and a string cannot.
 * @param areSecret whether no message may name a recipient
 * @returns the sealed values by the recipients' names
 * @throws Error if there is no recipient, if a library is missing, or if sealing fails for a recipient; neither the error nor its cause
 *   contains the text
 */
export async function sealText(
  text: string,
  recipients: readonly Recipient[],
  areSecret = false,
): Promise<Record<string, string>> {
  if (recipients.length === 0) throw new Error("sealing needs at least one recipient");
  const sealed: Record<string, string> = {};
  for (const { format, name, key } of recipients) {
    const seal = await loadSealer[format]();
    const bytes = new TextEncoder().encode(text);
    try {
      sealed[name] = await seal(bytes, key);
    } catch {
      // The library's message may contain its input.
      const valid = format === "age" ? "age recipient" : "X25519 key";
      throw new Error(
        `nothing can be sealed for ${areSecret ? "a secret recipient" : name}: its key is not a valid ${valid}`,
      );
    } finally {
      bytes.fill(0);
    }
  }
  return sealed;
}

/** The recipients that this process has sealed for: many tokens share them, and each is checked more than once. */
const proven = new Set<string>();

/**
 * Seals a meaningless text for each recipient: a missing library or an invalid key shows before there is a secret to lose.
 * @returns the reasons, one for each recipient that cannot be sealed for
 */
export async function rehearseSealing(recipients: readonly Recipient[], areSecret = false): Promise<string[]> {
  const rehearse = async (recipient: Recipient): Promise<string | undefined> => {
    const id = `${recipient.format} ${recipient.key}`;
    if (proven.has(id)) return undefined;
    const sealing = sealText("rehearsal", [recipient], areSecret).then(() => void proven.add(id));
    return await sealing.catch((failure: Error) => failure.message);
  };
  const reasons = await Promise.all(recipients.map(rehearse));
  return [...new Set(reasons.filter((reason) => reason !== undefined))];
}
