import { generateKeyPairSync, randomBytes } from "node:crypto";
import { generateIdentity, identityToRecipient } from "age-encryption";
import sodium from "libsodium-wrappers";
import { md, pki } from "node-forge";

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
  const own = makeKey();
  const certify = (subject: string, { publicKey, pem }: Key, { from, to }: Validity, extensions: object[]) => {
    const made = pki.createCertificate();
    made.serialNumber = `01${randomBytes(8).toString("hex")}`;
    made.publicKey = publicKey;
    [made.validity.notBefore, made.validity.notAfter] = [from, to];
    made.setSubject([{ name: "commonName", value: subject }]);
    made.setIssuer([{ name: "commonName", value: name }]);
    made.setExtensions(extensions);
    made.sign(own.privateKey, md.sha256.create());
    return { cert: pki.certificateToPem(made), key: pem };
  };
  return {
    ...certify(name, own, nearby(), [{ name: "basicConstraints", critical: true, cA: true }]),
    issue(names, validity = nearby()) {
      const altNames = names.map((of) => (/^[\d.]+$/.test(of) ? { type: 7, ip: of } : { type: 2, value: of }));
      return certify("server of a test", makeKey(), validity, [{ name: "subjectAltName", altNames }]);
    },
  };
}

type Key = ReturnType<typeof makeKey>;

function makeKey() {
  const { publicKey, privateKey } = generateKeyPairSync("rsa", {
    modulusLength: 2048,
    publicKeyEncoding: { type: "spki", format: "pem" },
    privateKeyEncoding: { type: "pkcs8", format: "pem" },
  });
  return {
    publicKey: pki.publicKeyFromPem(publicKey),
    privateKey: pki.privateKeyFromPem(privateKey),
    pem: privateKey,
  };
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
