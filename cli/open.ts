import { readFile } from "node:fs/promises";
import { loadAge, loadSodium } from "../provider/shared/seal/libraries";
import type { Command } from "./command";
import { exactSecret, say } from "./text";

/** Prints a sealed secret to whoever has the private key. */
export const open: Command<"open"> = {
  async run(values, { print, warn, columns, readInput }, sealedFile) {
    const identityFile = values.identity;
    if (identityFile === undefined) throw new Error('--identity is missing: see "pulumi-event-datasets open --help"');
    const identity = await read(identityFile, `--identity ${identityFile}`);
    const sealed = sealedFile === undefined ? await readInput() : await read(sealedFile, sealedFile);
    const secret = await openSealed(sealed, identity);
    if (columns !== undefined)
      warn(say`this prints a secret to a terminal, which may keep it: pipe it to its consumer instead`);
    print(exactSecret(secret));
    return 0;
  },
};

const read = (file: string, called: string): Promise<string> =>
  readFile(file, "utf8").catch((failure: NodeJS.ErrnoException) => {
    throw new Error(`${called}: cannot be read (${failure.code})`);
  });

const ageFile = "-----BEGIN AGE ENCRYPTED FILE-----";

/** Opens one sealed value with the first key that fits; undefined if none fits. */
type Opener = (sealed: string, keys: readonly string[]) => Promise<string | undefined>;

const openAge: Opener = async (sealed, keys) => {
  if (keys.length === 0) throw new Error("the identity contains no age key (AGE-SECRET-KEY-1…)");
  const { armor, Decrypter } = await loadAge();
  const decrypter = new Decrypter();
  try {
    for (const key of keys) decrypter.addIdentity(key);
    return takeText(await decrypter.decrypt(armor.decode(sealed)));
  } catch {
    return undefined; // the library's message may contain a key
  }
};

const openBox: Opener = async (sealed, keys) => {
  if (keys.length === 0) throw new Error("the identity contains no private key for sealed boxes (base64)");
  const sodium = await loadSodium();
  const bytes = (text: string) => sodium.from_base64(text, sodium.base64_variants.ORIGINAL);
  const openWith = (key: string): string | undefined => {
    let own: Uint8Array | undefined;
    try {
      own = bytes(key);
      return takeText(sodium.crypto_box_seal_open(bytes(sealed), sodium.crypto_scalarmult_base(own), own));
    } catch {
      return undefined; // sealed for another key, or not a key
    } finally {
      own?.fill(0);
    }
  };
  return keys.map(openWith).find((opened) => opened !== undefined);
};

/** Decodes opened bytes, and overwrites them. */
function takeText(bytes: Uint8Array): string {
  const text = new TextDecoder().decode(bytes);
  bytes.fill(0);
  return text;
}

/**
 * Opens a sealed value with a private key.
 *
 * @param sealed one value of `sealedToken`, or all of them as JSON
 * @param identity private keys, one a line: `AGE-SECRET-KEY-1…` as age-keygen writes them, or an X25519 key in base64; comments (#)
 *   and empty lines are skipped
 * @throws Error if no value can be opened; it contains no key
 */
export async function openSealed(sealed: string, identity: string): Promise<string> {
  const identities = identity
    .split(/\r?\n/)
    .map((line) => line.trim())
    .filter((line) => line !== "" && !line.startsWith("#"));
  if (identities.length === 0) throw new Error("the identity contains no private key");
  const failures: Error[] = [];
  for (const value of sealedValues(sealed)) {
    const isAge = value.startsWith(ageFile);
    const keys = identities.filter((line) => line.startsWith("AGE-SECRET-KEY-") === isAge);
    const opened = await (isAge ? openAge : openBox)(value, keys).catch(
      (failure: Error) => void failures.push(failure),
    );
    if (opened !== undefined) return opened;
  }
  throw (
    failures[0] ?? new Error("the identity cannot decrypt the sealed value: it is sealed for another key, or damaged")
  );
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
