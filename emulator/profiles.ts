import { checkShape, type Shape } from "./fields";
import { HttpError } from "./httpError";
import type { JsonObject } from "./json";

/** `documented`: what the documented interface names. `extended`: what the public service offers beyond it, too. */
export const profiles = ["documented", "extended"] as const;

export type Profile = (typeof profiles)[number];

const otherThan = (profile: Profile): Profile => (profile === "documented" ? "extended" : "documented");

/** For a request that the emulator would take if it served the other profile: where to change that. */
export function profileHint(served: Profile): string {
  const other = otherThan(served);
  return (
    `the profile ${other} takes it, but this emulator serves the profile ${served}: ` +
    `start it with --profile ${other}, or set the client's profile to ${served}`
  );
}

/**
 * Checks a body against the shape that it has in the profile.
 * @throws HttpError that names the other profile where a field is missing that only this one requires, or is there that only
 * the other one knows
 */
export function checkBody(body: JsonObject, served: Profile, shapes: Readonly<Record<Profile, Shape>>): void {
  try {
    checkShape(body, shapes[served]);
  } catch (failure) {
    if (!(failure instanceof HttpError) || !isOfOther(body, shapes[served], shapes[otherThan(served)])) throw failure;
    throw new HttpError(failure.status, `${failure.message}; ${profileHint(served)}`);
  }
}

const isOfOther = (body: JsonObject, own: Shape, other: Shape): boolean =>
  Object.keys(body).some((key) => !Object.hasOwn(own.fields, key) && Object.hasOwn(other.fields, key)) ||
  (own.required ?? []).some((key) => !Object.hasOwn(body, key) && !other.required?.includes(key));
