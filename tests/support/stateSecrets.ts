import { createDecipheriv, createHash, pbkdf2 } from "node:crypto";
import { readFile, writeFile } from "node:fs/promises";
import path from "node:path";
import { promisify } from "node:util";
import { unwrapKey } from "./keyService";
import { makeOnce } from "./once";

/** By which the engine marks a secret in a state. */
const signature = "4dabf18193072939515e22adb298388d";

/** Where a stack's key comes from, as its state has it: a passphrase and the salt, or what a service unwraps. */
export interface KeySource {
  readonly salt?: string;
  readonly encryptedkey?: string;
}

type Reveal = (ciphertext: string) => unknown;

/** Outputs of a state as `pulumi stack output --json` shows them. */
export const hideSecrets = (value: unknown): unknown => mapSecrets(value, () => "[secret]");

/**
 * The same with `--show-secrets`. That command takes longer than a good part of an update, most of it for the key: it is derived
 * once a test run, for the stacks are copies of one.
 */
export async function showSecrets(value: unknown, source: KeySource, env: NodeJS.ProcessEnv): Promise<unknown> {
  const { salt = "", encryptedkey } = source;
  const key = encryptedkey ? unwrapKey(encryptedkey) : await keyOf(salt, env.PULUMI_CONFIG_PASSPHRASE ?? "");
  return mapSecrets(value, (ciphertext) => JSON.parse(decrypt(key, ciphertext)));
}

function mapSecrets(value: unknown, reveal: Reveal): unknown {
  if (Array.isArray(value)) return value.map((part) => mapSecrets(part, reveal));
  if (typeof value !== "object" || value === null) return value;
  if (signature in value) return reveal((value as { readonly ciphertext?: string }).ciphertext ?? "");
  return Object.fromEntries(Object.entries(value).map(([key, part]) => [key, mapSecrets(part, reveal)]));
}

/** @param salt of a passphrase's secrets provider, as the state has it: version, salt, and a text to try the key on */
async function keyOf(salt: string, passphrase: string): Promise<Buffer> {
  const [version, encoded = ""] = salt.split(":");
  if (version !== "v1") throw new Error(`the state's secrets are of an unknown version: ${version}`);
  const name = createHash("sha256").update(`${passphrase}\0${encoded}`).digest("hex").slice(0, 12);
  const folder = await makeOnce(`key-${name}`, async (draft) => {
    const key = await promisify(pbkdf2)(passphrase, Buffer.from(encoded, "base64"), 1_000_000, 32, "sha256");
    await writeFile(path.join(draft, "key"), key);
  });
  return readFile(path.join(folder, "key"));
}

function decrypt(key: Buffer, ciphertext: string): string {
  const [version, nonce = "", encoded = ""] = ciphertext.split(":");
  if (version !== "v1") throw new Error(`a secret of the state is of an unknown version: ${version}`);
  const [bytes, tagBytes] = [Buffer.from(encoded, "base64"), 16];
  const decipher = createDecipheriv("aes-256-gcm", key, Buffer.from(nonce, "base64"));
  decipher.setAuthTag(bytes.subarray(-tagBytes));
  return Buffer.concat([decipher.update(bytes.subarray(0, -tagBytes)), decipher.final()]).toString("utf8");
}
