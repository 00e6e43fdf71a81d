import { createHash } from "node:crypto";

/** The first 12 hexadecimal digits of a secret's SHA-256: they tell which secret it is without giving it away. */
export const fingerprintOf = (secret: string): string => createHash("sha256").update(secret).digest("hex").slice(0, 12);
