import { loadAge, loadSodium, MissingLibrary } from "./libraries";
import type { Recipient, SealFormat } from "./recipients";

/** Seals bytes for one key, and returns the library's format as text. */
type Sealer = (bytes: Uint8Array, key: string) => Promise<string>;

/** The libraries define keys and formats: an age file in ASCII armor, and a sealed box in base64 as GitHub takes it. */
const sealers: Readonly<Record<SealFormat, Sealer>> = {
  async age(bytes, key) {
    const { armor, Encrypter } = await loadAge();
    const encrypter = new Encrypter();
    encrypter.addRecipient(key);
    return armor.encode(await encrypter.encrypt(bytes));
  },
  async "sealed box"(bytes, key) {
    const sodium = await loadSodium();
    const box = sodium.crypto_box_seal(bytes, sodium.from_base64(key, sodium.base64_variants.ORIGINAL));
    return sodium.to_base64(box, sodium.base64_variants.ORIGINAL);
  },
};

/** The words for a recipient in a message. */
export type DescribeRecipient = (recipient: Recipient) => string;

const describeByName: DescribeRecipient = ({ name }) => name;

/**
 * Seals a text separately for each recipient. The libraries get bytes, because bytes can be overwritten and a string cannot.
 * @returns the sealed values by the recipients' names
 * @throws Error if there is no recipient, or if sealing fails for one, which it names; neither it nor its cause contains the text
 */
export async function sealText(
  text: string,
  recipients: readonly Recipient[],
  describe: DescribeRecipient = describeByName,
): Promise<Record<string, string>> {
  if (recipients.length === 0) throw new Error("sealing needs at least one recipient");
  const sealed: Record<string, string> = {};
  for (const recipient of recipients) {
    const { format, name, key } = recipient;
    const bytes = new TextEncoder().encode(text);
    try {
      sealed[name] = await sealers[format](bytes, key);
    } catch (failure) {
      if (failure instanceof MissingLibrary) throw failure;
      // The library's message may contain its input.
      throw new Error(`nothing can be sealed for ${describe(recipient)}: its key is not a valid ${keyKinds[format]}`);
    } finally {
      bytes.fill(0);
    }
  }
  return sealed;
}

const keyKinds: Readonly<Record<SealFormat, string>> = { age: "age recipient", "sealed box": "X25519 key" };

/** Recipients that this process has sealed for; many tokens share them. */
const proven = new Set<string>();

/**
 * Seals a meaningless text for each recipient. This finds a missing library, a wrong checksum and an invalid key before there is a
 * secret to lose.
 * @returns the reasons, one for each recipient that cannot be sealed for
 */
export async function rehearseSealing(
  recipients: readonly Recipient[],
  describe: DescribeRecipient = describeByName,
): Promise<string[]> {
  const reasons = new Set<string>();
  for (const recipient of recipients) {
    const id = `${recipient.format} ${recipient.key}`;
    if (proven.has(id)) continue;
    try {
      await sealText("rehearsal", [recipient], describe);
      proven.add(id);
    } catch (failure) {
      reasons.add((failure as Error).message);
    }
  }
  return [...reasons];
}
