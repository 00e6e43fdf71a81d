import type { EventDatasets, Token } from "../../sdk";
import type { ApiTokenInputs } from "./definition";
import { describeToken } from "./names";

/** The warning for a new token that is not as it was requested. */
export function describeResponse(
  inputs: ApiTokenInputs,
  minted: Token,
  changed: readonly string[],
  clock: EventDatasets["clock"],
): string | undefined {
  const odd = Object.entries(minted.odd ?? {}).map(([field, reason]) => `${field} (${reason})`);
  const end = Date.parse(minted.expiresAt ?? "");
  // The service can also write "no expiry" as a time long ago.
  const isOver = clock.offset() !== undefined && end > 0 && end <= clock.now().getTime();
  const endless = changed.includes("expiresAt") && minted.expiresAt === undefined;
  const parts = [
    changed.length > 0 && `the service returned other values than declared for ${changed.join(", ")}`,
    endless && "it gave no expiry, so the token never expires",
    isOver && "it has expired already according to the service's clock, so the clock of this machine may be slow",
    odd.length > 0 && `the service's response could not be read in ${odd.join(", ")}`,
  ].filter((part) => part !== false);
  if (parts.length === 0) return undefined;
  return `${describeToken(minted.id, inputs)}: ${parts.join("; ")}; check that this is what you want.`;
}

export const describeConflict = ({ message }: Error): string =>
  `${message}. If the service refuses a second token of the same name: leave the name out, so that each token gets its own, or set the option deleteBeforeReplace.`;
