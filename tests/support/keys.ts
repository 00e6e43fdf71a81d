import { generateKeyPairSync, type KeyObject, randomBytes, sign } from "node:crypto";
import { generateIdentity, identityToRecipient } from "age-encryption";
import sodium from "libsodium-wrappers";

/** A certificate with its key, both PEM. */
export interface Certificate {
  readonly cert: string;
  readonly key: string;
}

export interface Authority extends Certificate {
  /** A certificate for a server of these names. */
  issue(names: readonly string[], validity?: Validity): Certificate;
}

interface Validity {
  readonly from: Date;
  readonly to: Date;
}

const day = 86_400_000;
const nearby = (): Validity => ({ from: new Date(Date.now() - day), to: new Date(Date.now() + day) });

/** An authority that nobody trusts but who is told to, made anew at every call: no key is kept anywhere. */
export function createAuthority(name = "throw-away authority of a test"): Authority {
  const { publicKey, privateKey } = generateKeyPairSync("ec", { namedCurve: "P-256" });
  const own = { subject: name, publicKey, issuer: name, signedBy: privateKey, validity: nearby(), isAuthority: true };
  return {
    cert: certificateOf({ ...own, names: [] }),
    key: pemOf(privateKey),
    issue(names, validity = nearby()) {
      const pair = generateKeyPairSync("ec", { namedCurve: "P-256" });
      const { publicKey: subjectKey } = pair;
      const subject = { subject: "server of a test", publicKey: subjectKey, validity, names, isAuthority: false };
      return {
        cert: certificateOf({ ...subject, issuer: name, signedBy: privateKey }),
        key: pemOf(pair.privateKey),
      };
    },
  };
}

const pemOf = (key: KeyObject): string => key.export({ type: "pkcs8", format: "pem" }).toString();

interface Contents {
  readonly subject: string;
  readonly issuer: string;
  readonly publicKey: KeyObject;
  readonly signedBy: KeyObject;
  readonly validity: Validity;
  readonly names: readonly string[];
  readonly isAuthority: boolean;
}

// X.509 in DER (RFC 5280), as far as a test needs it.

function certificateOf(contents: Contents): string {
  const algorithm = sequence(oid("1.2.840.10045.4.3.2")); // ECDSA with SHA-256
  const toSign = sequence(
    tag(0xa0, integer(Buffer.from([2]))), // version 3
    integer(Buffer.concat([Buffer.from([0x01]), randomBytes(8)])),
    algorithm,
    nameOf(contents.issuer),
    sequence(time(contents.validity.from), time(contents.validity.to)),
    nameOf(contents.subject),
    contents.publicKey.export({ type: "spki", format: "der" }),
    tag(0xa3, sequence(...extensionsOf(contents))),
  );
  const signature = sign("sha256", toSign, contents.signedBy);
  const whole = sequence(toSign, algorithm, bitString(signature));
  const lines = whole.toString("base64").replace(/.{64}/g, "$&\n");
  return `-----BEGIN CERTIFICATE-----\n${lines}\n-----END CERTIFICATE-----\n`;
}

function extensionsOf({ names, isAuthority }: Contents): Buffer[] {
  const constraints = sequence(...(isAuthority ? [tag(0x01, Buffer.from([0xff]))] : []));
  const alternatives = names.map((name) =>
    /^[\d.]+$/.test(name) ? tag(0x87, Buffer.from(name.split(".").map(Number))) : tag(0x82, Buffer.from(name)),
  );
  return [
    sequence(oid("2.5.29.19"), tag(0x01, Buffer.from([0xff])), octets(constraints)),
    ...(names.length > 0 ? [sequence(oid("2.5.29.17"), octets(sequence(...alternatives)))] : []),
  ];
}

const nameOf = (common: string): Buffer =>
  sequence(tag(0x31, sequence(oid("2.5.4.3"), tag(0x0c, Buffer.from(common)))));

function tag(tag: number, content: Buffer): Buffer {
  const { length } = content;
  if (length < 128) return Buffer.concat([Buffer.from([tag, length]), content]);
  const size = Buffer.from(length.toString(16).padStart(length > 255 ? 4 : 2, "0"), "hex");
  return Buffer.concat([Buffer.from([tag, 0x80 | size.length]), size, content]);
}

const sequence = (...parts: readonly Buffer[]): Buffer => tag(0x30, Buffer.concat(parts));
const integer = (bytes: Buffer): Buffer => tag(0x02, bytes);
const octets = (content: Buffer): Buffer => tag(0x04, content);
const bitString = (content: Buffer): Buffer => tag(0x03, Buffer.concat([Buffer.from([0]), content]));
const time = (at: Date): Buffer => tag(0x17, Buffer.from(`${at.toISOString().slice(2, 19).replace(/[-:T]/g, "")}Z`));

function oid(dotted: string): Buffer {
  const [first = 0, second = 0, ...rest] = dotted.split(".").map(Number);
  return tag(0x06, Buffer.from([first * 40 + second, ...rest.flatMap(base128)]));
}

function base128(value: number): number[] {
  const digits = [value & 0x7f];
  for (let left = value >>> 7; left > 0; left >>>= 7) digits.unshift(0x80 | (left & 0x7f));
  return digits;
}

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
