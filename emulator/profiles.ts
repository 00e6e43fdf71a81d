import { checkShape, type Shape } from "./fields";
import { HttpError } from "./httpError";
import type { JsonObject } from "./json";

/** `documented`: the documented interface. `extended`: also the public service's additions. */
export const profiles = ["documented", "extended"] as const;

export type Profile = (typeof profiles)[number];

const otherProfile = (profile: Profile): Profile => (profile === "documented" ? "extended" : "documented");

/** How to change the profile, for a request that only the other profile accepts. */
export function profileHint(served: Profile): string {
  const other = otherProfile(served);
  return (
    `the profile ${other} takes it, but this emulator serves the profile ${served}: ` +
    `start it with --profile ${other}, or set the client's profile to ${served}`
  );
}

/**
 * Checks a body against the shape that it has in the profile.
 * @throws HttpError that names the other profile if a missing field is required only in this profile, or an unknown field
 * exists only in the other one
 */
export function checkBody(body: JsonObject, served: Profile, shapes: Readonly<Record<Profile, Shape>>): void {
  try {
    checkShape(body, shapes[served]);
  } catch (failure) {
    if (!(failure instanceof HttpError) || !isOfOther(body, shapes[served], shapes[otherProfile(served)]))
      throw failure;
    throw new HttpError(failure.status, `${failure.message}; ${profileHint(served)}`);
  }
}

const isOfOther = (body: JsonObject, own: Shape, other: Shape): boolean =>
  Object.keys(body).some((key) => !Object.hasOwn(own.fields, key) && Object.hasOwn(other.fields, key)) ||
  (own.required ?? []).some((key) => !Object.hasOwn(body, key) && !other.required?.includes(key));
