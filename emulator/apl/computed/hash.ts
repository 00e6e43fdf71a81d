import { createHash } from "node:crypto";
import { type Json, textOf } from "./define";

/** 64 bits of a digest: the same for a value in every run. */
export function hash(value: Json, salt?: number): bigint {
  const digest = createHash("sha256")
    .update(salt === undefined ? textOf(value) : `${salt}:${textOf(value)}`)
    .digest();
  return digest.readBigInt64BE();
}
