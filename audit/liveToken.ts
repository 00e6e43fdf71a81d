import type { Token } from "../sdk";
import { tokenExpiryTime } from "../sdk/tokenFilter";
import { clockTolerance } from "../values/instant";

/** A live token with its expiry in milliseconds since the epoch: infinite for never, undefined if it cannot be read. */
export interface LiveToken extends Token {
  readonly expiryTime: number | undefined;
}

/** Reads the expiry once: reading it again would take most of an audit's time. */
export const withExpiry = (token: Token): LiveToken => ({ ...token, expiryTime: tokenExpiryTime(token) });

/** The expiry of a token in words. */
export const describeTokenExpiry = ({ expiresAt, expiryTime }: LiveToken): string =>
  expiryTime === Number.POSITIVE_INFINITY ? "never expires" : `stays valid until ${expiresAt ?? "an unknown time"}`;

/** Whether the token has certainly expired. */
export const isExpired = ({ expiryTime }: Pick<LiveToken, "expiryTime">, now: number): boolean =>
  expiryTime !== undefined && expiryTime + clockTolerance < now;
