import { parseDuration, shift } from "../../../values/duration";
import { canonicalInstant } from "../../../values/instant";

/** The expiry of a token; undefined if it has none. */
export function expiryOf(expiresAt: string | undefined): Date | undefined {
  const instant = expiresAt === undefined ? undefined : canonicalInstant(expiresAt);
  return instant === undefined ? undefined : new Date(instant);
}

/**
 * When a token is due for rotation: `rotateBefore` before its expiry.
 * @returns undefined if there is no rotation by time, or the token has no expiry
 */
export function rotatesAt(
  { expiresAt }: { readonly expiresAt?: string | undefined },
  rotation: { readonly rotateBefore?: string | undefined } | undefined,
): Date | undefined {
  const before = rotation?.rotateBefore === undefined ? undefined : parseDuration(rotation.rotateBefore);
  const end = expiryOf(expiresAt);
  return before && end ? shift(end, before, -1) : undefined;
}
