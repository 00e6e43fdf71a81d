import { createHash } from "node:crypto";

/**
 * The only stored form of a secret. A plain hash is enough, because the secrets are random: a slow or salted hash protects only
 * secrets that can be guessed.
 */
export const hashOf = (text: string): Buffer => createHash("sha256").update(text).digest();
