import { generateIdentity, identityToRecipient } from "age-encryption";
import sodium from "libsodium-wrappers";

/** A key pair as GitHub has one for each repository. */
export async function boxKey(): Promise<{ readonly publicKey: string; readonly privateKey: string }> {
  await sodium.ready;
  const { publicKey, privateKey } = sodium.crypto_box_keypair();
  const text = (bytes: Uint8Array) => Buffer.from(bytes).toString("base64");
  return { publicKey: text(publicKey), privateKey: text(privateKey) };
}

/** A key as `age-keygen` makes it. */
export async function ageKey(): Promise<{ readonly identity: string; readonly recipient: string }> {
  const identity = await generateIdentity();
  return { identity, recipient: await identityToRecipient(identity) };
}
