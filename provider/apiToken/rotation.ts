import { parseDuration, shift } from "../../values/duration";
import { canonicalInstant } from "../../values/instant";

/** When a token is renewed before it expires. Read anew at every update and never compared, but for `triggers`. */
export interface Rotation {
  /** How long each token is valid, counted from its creation: `90d`, `P90D`. */
  readonly expireAfter?: string;
  /** How long before its expiry a token is replaced: the time for consumers to take up the new one. */
  readonly rotateBefore?: string;
  /**
   * How long the old token goes on working after a rotation: the service ends it itself, also if no update follows.
   * Profile `extended` only.
   */
  readonly overlap?: string;
  /** A change of any of these values replaces the token. */
  readonly triggers?: Readonly<Record<string, string | number | boolean>>;
}

export interface Lifetime {
  readonly expiresAt?: string | undefined;
  /** When it was created, by the clock that `expireAfter` was counted on; absent for an adopted token. */
  readonly createdAt?: string | undefined;
}

/** The earlier of two ends of a token: its expiry, and its creation plus the present `expireAfter`. */
export function computeEnd({ expiresAt, createdAt }: Lifetime, rotation: Rotation | undefined): Date | undefined {
  const after = rotation?.expireAfter === undefined ? undefined : parseDuration(rotation.expireAfter);
  const own = expiresAt === undefined ? undefined : canonicalInstant(expiresAt);
  const ends = [
    ...(own ? [Date.parse(own)] : []),
    ...(after && createdAt ? [shift(new Date(createdAt), after, 1).getTime()] : []),
  ];
  return ends.length > 0 ? new Date(Math.min(...ends)) : undefined;
}

/**
 * When a token is due for rotation: `rotateBefore` before its end.
 * @returns undefined if there is no rotation by time, or the token has no end
 */
export function rotatesAt(lifetime: Lifetime, rotation: Rotation | undefined): Date | undefined {
  const before = rotation?.rotateBefore === undefined ? undefined : parseDuration(rotation.rotateBefore);
  const end = computeEnd(lifetime, rotation);
  return before && end ? shift(end, before, -1) : undefined;
}
