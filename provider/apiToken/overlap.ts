import type { Managed } from "../../framework/update";
import { type EventDatasets, isStatus, type MintedToken, orGone, type TokenSpec } from "../../sdk";
import { defined } from "../../values/defined";
import { parseDuration, shift } from "../../values/duration";
import { canonicalInstant } from "../../values/instant";
import type { Session } from "../account/connection";
import { hidesOverlap, toTheSecond } from "./expiry";
import type { ApiTokenInputs, ApiTokenState } from "./model";

/** The expiry that `rotation.overlap` gives a token whose successor is created now; undefined: no overlap, or of no use. */
export function endOfOverlap(inputs: ApiTokenInputs, state: ApiTokenState, now: Date): string | undefined {
  const { overlap } = inputs.rotation ?? {};
  const duration = overlap === undefined ? undefined : parseDuration(overlap);
  const isUsable = state.record.origin === "created" || state.record.origin === "adopted";
  if (duration === undefined || !isUsable) return undefined;
  const end = shift(now, duration, 1);
  const own = state.expiresAt === undefined ? undefined : canonicalInstant(state.expiresAt);
  if (own !== undefined && Date.parse(own) <= now.getTime()) return undefined;
  if (own !== undefined && Date.parse(own) <= end.getTime()) return own;
  return toTheSecond(end);
}

/** The predecessor of a token that is created now, with its new expiry. */
export interface Overlap {
  readonly id: string;
  readonly until: string;
  /** Whether `until` derives from a secret input. */
  readonly isSecret: boolean;
}

/** @param now by the service's clock, which ends the old token */
export function findOverlap({ update, client }: Session, inputs: ApiTokenInputs, now: Date): Overlap | undefined {
  const predecessor: Managed<ApiTokenState> | undefined = update.findCurrent<ApiTokenState>(inputs.key);
  if (!predecessor || !client.can("tokens.regenerate")) return undefined;
  const until = endOfOverlap(inputs, predecessor.state, now);
  if (until === undefined) return undefined;
  return { id: predecessor.id, until, isSecret: hidesOverlap(predecessor.state, inputs) };
}

/** Sends the create. With an overlap the service moves the expiry of the old token (extended interface, "Tokens"). */
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
    // "Not found" had no effect. Either the predecessor is gone, or the service has no such operation.
    if (!isStatus(failure, 404)) throw failure;
    const live = await orGone(tokens.get(overlap.id)).catch(() => Promise.reject(failure));
    if (live) throw failure;
    return await tokens.create(spec);
  }
}
