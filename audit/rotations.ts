import { type Rotation, rotatesAt } from "../provider/apiToken/rotation";
import { isObject } from "../values/json";
import type { DeclaredToken } from "./state";

/** When a declared token becomes due for rotation, in milliseconds since the epoch; undefined if it never does. */
export function dueOf(token: DeclaredToken | undefined): number | undefined {
  if (!token || !isObject(token.inputs.rotation)) return undefined;
  const { expiresAt, createdAt } = token.outputs;
  const lifetime = { expiresAt: textOf(expiresAt), createdAt: textOf(createdAt) };
  const { rotateBefore, expireAfter } = token.inputs.rotation;
  const rotation = { rotateBefore: textOf(rotateBefore), expireAfter: textOf(expireAfter) };
  return rotatesAt(lifetime, rotation as Rotation)?.getTime();
}

const textOf = (value: unknown): string | undefined => (typeof value === "string" ? value : undefined);

/** Updates are scheduled once a day or more often. */
const patience = 86_400_000;

/**
 * From when on a rotation is overdue: a day after it fell due, or when half of the time up to the end of the live token has
 * passed since then, if that is sooner.
 * @param end of the live token, which somebody may have changed
 * @returns undefined if the token is not rotated before that end
 */
export function overdueFrom(token: DeclaredToken | undefined, end: number): number | undefined {
  const due = dueOf(token);
  return due === undefined || due >= end ? undefined : due + Math.min(patience, (end - due) / 2);
}
