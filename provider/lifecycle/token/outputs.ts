import { createHash } from "node:crypto";
import { defined } from "../../../sdk/values/defined";
import type { ApiTokenState } from "./model";
import { rotatesAt } from "./rotation";

/** What can be derived from a token's state. Never compared: `upgradeState` drops it again. */
export function deriveOutputs(state: Partial<ApiTokenState>): {
  readonly fingerprint?: string;
  readonly rotatesAt?: string;
} {
  const { token, fingerprint, rotation } = state;
  return defined({
    fingerprint: token === undefined ? fingerprint : createHash("sha256").update(token).digest("hex").slice(0, 12),
    rotatesAt: rotatesAt(state, rotation)?.toISOString(),
  });
}
