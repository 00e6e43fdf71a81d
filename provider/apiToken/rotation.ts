import { parseDuration, shift } from "../../values/duration";
import { canonicalInstant } from "../../values/instant";

/** When a token is replaced by a new one, without a change of its other arguments. Without it a token is never renewed. */
export interface Rotation {
  /**
   * How long before its expiry a token is replaced, such as `14d`: the time that consumers have to switch to the new token. Needs
   * `expiresIn`, and must be shorter.
   */
  readonly rotateBefore?: string;
  /**
   * How long the old token stays valid after a replacement. The service then expires it, even without another update. Needs the
   * `extended` profile.
   */
  readonly overlap?: string;
  /** Values that replace the token when one of them changes. */
  readonly triggers?: Readonly<Record<string, string | number | boolean>>;
}

/** The expiry of a token; undefined: it has none. */
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
  rotation: Pick<Rotation, "rotateBefore"> | undefined,
): Date | undefined {
  const before = rotation?.rotateBefore === undefined ? undefined : parseDuration(rotation.rotateBefore);
  const end = expiryOf(expiresAt);
  return before && end ? shift(end, before, -1) : undefined;
}
