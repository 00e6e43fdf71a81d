import { rotatesAt } from "../provider/nouns/apiToken/rotation";
import { isObject } from "../values/json";
import type { DeclaredToken } from "./declared";

/** When the rotation of a declared token is due, in milliseconds since the epoch; undefined: never, or it is being replaced. */
export function dueOf(token: DeclaredToken | undefined): number | undefined {
  if (!token || token.awaits || !isObject(token.inputs.rotation)) return undefined;
  const rotateBefore = textOf(token.inputs.rotation.rotateBefore);
  return rotateBefore === undefined
    ? undefined
    : rotatesAt({ expiresAt: textOf(token.outputs.expiresAt) }, { rotateBefore })?.getTime();
}

const textOf = (value: unknown): string | undefined => (typeof value === "string" ? value : undefined);

/** Updates are scheduled once a day or more often. */
const patience = 86_400_000;

/**
 * When a rotation becomes overdue: a day after it was due, or after half of the time that remained until the expiry, whichever is
 * sooner.
 * @param expiryTime the live token's expiry, which somebody may have changed
 * @returns undefined if the token is not rotated before it expires
 */
export function overdueFrom(token: DeclaredToken | undefined, expiryTime: number): number | undefined {
  const due = dueOf(token);
  return due === undefined || due >= expiryTime ? undefined : due + Math.min(patience, (expiryTime - due) / 2);
}
