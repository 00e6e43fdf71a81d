import { createDecipheriv, randomBytes } from "node:crypto";
import { createServer } from "node:http";
import type { WorkspaceOptions } from "./engine";
import { listen } from "./listen";

/** The stack's secrets provider, as `pulumi stack init --secrets-provider` takes it. */
export const keyProvider = "hashivault://tests";

const wrapping = "vault:v1:";

/** The service with which the engine wraps and unwraps a stack's key. */
export interface KeyService extends AsyncDisposable {
  /** The lines of a stack's settings with its wrapped key, as the engine writes them. */
  readonly settings: string;
  /** By which the engine finds it. */
  readonly env: Readonly<Record<string, string>>;
  /** Decrypts what the engine encrypted with the stack's key. */
  decrypt(ciphertext: string): string;
}

/**
 * The two requests that the engine sends to a Vault's transit engine. It keeps nothing: the stack has its wrapped key. Secrets in the
 * state are encrypted as with a passphrase, but no key is derived from one. This saves a seventh of the CPU time of a suite (drift and
 * adoption: 28 instead of 33 s).
 */
export async function startKeyService(): Promise<KeyService> {
  const server = createServer(async (request, response) => {
    let text = "";
    for await (const chunk of request) text += chunk;
    const { plaintext, ciphertext } = JSON.parse(text || "{}");
    const data = request.url?.includes("/encrypt/")
      ? { ciphertext: `${wrapping}${plaintext}` }
      : { plaintext: String(ciphertext).slice(wrapping.length) };
    response.setHeader("content-type", "application/json");
    response.end(JSON.stringify({ data }));
  });
  const port = await listen(server);
  const stackKey = randomBytes(32);
  const key = `${wrapping}${stackKey.toString("base64")}`;
  return {
    settings: `secretsprovider: ${keyProvider}\nencryptedkey: ${Buffer.from(key).toString("base64")}\n`,
    env: { VAULT_ADDR: `http://127.0.0.1:${port}`, VAULT_TOKEN: "of the tests" },
    decrypt(ciphertext) {
      const [, nonce = "", sealed = ""] = ciphertext.split(":");
      const bytes = Buffer.from(sealed, "base64");
      const decipher = createDecipheriv("aes-256-gcm", stackKey, Buffer.from(nonce, "base64"));
      decipher.setAuthTag(bytes.subarray(-16));
      return decipher.update(bytes.subarray(0, -16), undefined, "utf8") + decipher.final("utf8");
    },
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

/** One for a workspace, unless its key is to come from a passphrase. */
export const startKeysFor = async ({
  secrets,
  installation,
  env,
}: WorkspaceOptions): Promise<KeyService | undefined> =>
  secrets === "passphrase" || installation === "packed" || env?.PULUMI_CONFIG_PASSPHRASE !== undefined
    ? undefined
    : await startKeyService();
