import { createHash } from "node:crypto";

/**
 * All that is kept of a secret. A plain hash is enough, because secrets are random: there is nothing to guess that a slow
 * or salted hash would protect.
 */
export const hashOf = (text: string): Buffer => createHash("sha256").update(text).digest();
