import type { Managed } from "../../framework/update";
import { type EventDatasets, isStatus, type MintedToken, orGone, type TokenSpec } from "../../sdk";
import { defined } from "../../values/defined";
import { parseDuration, shift } from "../../values/duration";
import { canonicalInstant } from "../../values/instant";
import type { Session } from "../account/connection";
import { toTheSecond } from "./expiry";
import type { ApiTokenInputs, ApiTokenState } from "./model";

/**
 * When a token stops working whose successor is created now, by `rotation.overlap`: never later than it would anyway.
 * Undefined: there is no overlap, or nobody can use the old token.
 */
export function endOfOverlap(inputs: ApiTokenInputs, state: ApiTokenState, now: Date): string | undefined {
  const { overlap } = inputs.rotation ?? {};
  const duration = overlap === undefined ? undefined : parseDuration(overlap);
  const isUsable = state.record.origin === "created" || state.record.origin === "adopted";
  if (duration === undefined || !isUsable) return undefined;
  const end = shift(now, duration, 1);
  const own = state.expiresAt === undefined ? undefined : canonicalInstant(state.expiresAt);
  // Nobody can use it any more, and a service may refuse an end in the past.
  if (own !== undefined && Date.parse(own) <= now.getTime()) return undefined;
  if (own !== undefined && Date.parse(own) <= end.getTime()) return own;
  return toTheSecond(end);
}

/** The predecessor of a token that is created now, and the time until which it goes on working. */
export interface Overlap {
  readonly id: string;
  readonly until: string;
}

/** @param now by the service's clock, which ends the old token */
export function findOverlap({ update, client }: Session, inputs: ApiTokenInputs, now: Date): Overlap | undefined {
  const predecessor: Managed<ApiTokenState> | undefined = update.findCurrent<ApiTokenState>(inputs.key);
  if (!predecessor || !client.can("tokens.regenerate")) return undefined;
  const until = endOfOverlap(inputs, predecessor.state, now);
  return until === undefined ? undefined : { id: predecessor.id, until };
}

/**
 * The one request that creates a token. With an overlap the service itself ends the old token (extended interface, "Tokens"),
 * so that it dies in time even if no update follows.
 */
export async function sendCreate(
  { tokens }: EventDatasets,
  spec: TokenSpec,
  overlap: Overlap | undefined,
): Promise<MintedToken> {
  if (overlap === undefined) return await tokens.create(spec);
  const newTokenExpiresAt = spec.expiresAt;
  try {
    return await tokens.regenerate(overlap.id, {
      existingTokenExpiresAt: overlap.until,
      newToken: spec,
      ...defined({ newTokenExpiresAt }),
    });
  } catch (failure) {
    // A predecessor that is gone needs no overlap, and "not found" had no effect. It can also mean that the service has no
    // such operation: then the old token would go on for ever.
    if (!isStatus(failure, 404)) throw failure;
    const live = await orGone(tokens.get(overlap.id)).catch(() => Promise.reject(failure));
    if (live) throw failure;
    return await tokens.create(spec);
  }
}
