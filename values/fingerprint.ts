import { createHash } from "node:crypto";

/** The first 12 hexadecimal digits of the SHA-256 hash of a secret: they identify the secret without revealing it. */
export const fingerprintOf = (secret: string): string => createHash("sha256").update(secret).digest("hex").slice(0, 12);
