import { parseDuration, shift } from "../../values/duration";
import { canonicalInstant } from "../../values/instant";

/** When a token is replaced by a new one. Durations are short (`36h`, `14d`; units s, m, h, d, w) or ISO 8601 (`P90D`). */
export interface Rotation {
  /** Lifetime of each token, counted from its creation, such as `90d` or `P90D`. */
  readonly expireAfter?: string;
  /** How long before its expiry a token is replaced. It is the time that consumers have to switch to the new token. */
  readonly rotateBefore?: string;
  /**
   * How long the old token stays valid after a rotation. The service then expires it, even without another update. Needs the
   * `extended` profile.
   */
  readonly overlap?: string;
  /** Values that replace the token when one of them changes. */
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
