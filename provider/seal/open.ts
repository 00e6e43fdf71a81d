import { loadAge, loadSodium } from "./libraries";

const ageFile = "-----BEGIN AGE ENCRYPTED FILE-----";

/** Opens one sealed value with whichever of the identities fits; undefined: none does. */
type Opener = (sealed: string, identities: readonly string[]) => Promise<string | undefined>;

const openAge: Opener = async (sealed, identities) => {
  const keys = identities.filter((line) => line.startsWith("AGE-SECRET-KEY-"));
  if (keys.length === 0) throw new Error("the identity holds no age key (AGE-SECRET-KEY-1…)");
  const { armor, Decrypter } = await loadAge();
  const decrypter = new Decrypter();
  try {
    for (const key of keys) decrypter.addIdentity(key);
    return await decrypter.decrypt(armor.decode(sealed), "text");
  } catch {
    return undefined; // the library's words may hold a key
  }
};

const openBox: Opener = async (sealed, identities) => {
  const keys = identities.filter((line) => !line.startsWith("AGE-SECRET-KEY-"));
  if (keys.length === 0) throw new Error("the identity holds no private key of a sealed box (base64)");
  const sodium = await loadSodium();
  const bytes = (text: string) => sodium.from_base64(text, sodium.base64_variants.ORIGINAL);
  const openWith = (key: string): string | undefined => {
    try {
      const own = bytes(key);
      return sodium.crypto_box_seal_open(bytes(sealed), sodium.crypto_scalarmult_base(own), own, "text");
    } catch {
      return undefined; // another key's, or none
    }
  };
  return keys.map(openWith).find((opened) => opened !== undefined);
};

/**
 * Opens a sealed value with a private key.
 *
 * @param sealed one value of `sealedToken`, or all of them as JSON, of which one is for this key
 * @param identity lines of private keys: `AGE-SECRET-KEY-1…` as age-keygen writes them, or base64 of an X25519 key; comments (#)
 *   and empty lines are skipped
 * @throws Error if nothing can be opened; it holds no key
 */
export async function openSealed(sealed: string, identity: string): Promise<string> {
  const identities = identity
    .split(/\r?\n/)
    .map((line) => line.trim())
    .filter((line) => line !== "" && !line.startsWith("#"));
  if (identities.length === 0) throw new Error("the identity holds no private key");
  const failures: Error[] = [];
  for (const value of sealedValues(sealed)) {
    const open = value.startsWith(ageFile) ? openAge : openBox;
    const opened = await open(value, identities).catch((failure: Error) => void failures.push(failure));
    if (opened !== undefined) return opened;
  }
  throw failures[0] ?? new Error("the identity does not open it: it is sealed for another key, or damaged");
}

/** A value as it is, or the values of JSON: a text, or an object as `pulumi stack output sealedToken --json` prints it. */
function sealedValues(text: string): readonly string[] {
  const values = parsed(text.trim());
  const texts = values.filter((value) => typeof value === "string").map((value) => value.trim());
  if (texts.length === 0 || texts.includes("")) throw new Error("there is no sealed value");
  return texts;
}

function parsed(text: string): readonly unknown[] {
  if (!/^["{]/.test(text)) return [text];
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === "object" && value !== null ? Object.values(value) : [value];
  } catch {
    throw new Error("the sealed value is damaged JSON");
  }
}
