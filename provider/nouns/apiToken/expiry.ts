import { asInstant, isSame } from "../../../framework/compare";
import { type Hints, hasSecretInput, isSecretInput } from "../../../framework/identity";
import type { Bag, CheckFailure } from "../../../framework/lifecycle";
import { hasUnknown } from "../../../framework/unknown";
import { isAlwaysShorter, parseDuration, shift, spellAsAdjective } from "../../../values/duration";
import { canonicalInstant, toTheSecond } from "../../../values/instant";
import type { Plan } from "../../shared/account/connection";
import type { ApiTokenInputs, ApiTokenState } from "./definition";
import { expiryOf, rotatesAt } from "./rotation";

/** An expiry can derive from any argument, so a secret argument hides it. */
export const describeInstant = (instant: string, ...values: Pick<Hints, "secretInputs">[]): string =>
  hasSecretInput(...values) ? "a secret time" : instant;

/** The expiry to ask the service for: UTC, "Z" (documented interface, 2.1). */
export function requestedExpiry(
  { expiresAt, expiresIn }: Pick<ApiTokenInputs, "expiresAt" | "expiresIn">,
  now: Date,
): string | undefined {
  if (expiresIn === undefined) return expiresAt === undefined ? undefined : canonicalInstant(expiresAt);
  const duration = parseDuration(expiresIn);
  // A service may drop the fraction, which would look like a change.
  return duration && toTheSecond(shift(now, duration, 1));
}

/** Whether a token has an expiry, as far as this is known. */
export const hasExpiry = ({ expiresAt, expiresIn }: Pick<ApiTokenInputs, "expiresAt" | "expiresIn">): boolean =>
  expiresAt !== undefined || expiresIn !== undefined;

/** Finds mistakes in the expiry, and in the rotation or retirement that depends on it. `news` are well-formed. */
export function* findExpiryFailures(
  olds: Bag | undefined,
  news: ApiTokenInputs,
  plan: Plan,
): Generator<CheckFailure, void> {
  const { expiresAt, expiresIn, retire, adopt } = news;
  if (expiresAt !== undefined && expiresIn !== undefined)
    return yield { property: "expiresIn", reason: "cannot be set together with expiresAt" };
  yield* findRotationFailures(news, plan);
  // A new token must not be expired; a managed or adopted one can be.
  const end = hasUnknown(expiresAt) ? undefined : expiryOf(expiresAt);
  const isOld = adopt !== undefined || (olds?.expiresAt !== undefined && isSame(asInstant, olds.expiresAt, expiresAt));
  if (end && !isOld && end <= plan.now())
    yield { property: "expiresAt", reason: "is in the past: nobody could use the token" };
  if (!hasExpiry(news) && plan.requireExpiry)
    yield {
      property: "expiresAt",
      reason: "is missing, and event-datasets:requireExpiry is set: declare expiresAt or expiresIn",
    };
  if (retire === "revoke" && !plan.can("tokens.delete")) {
    const reason = `must be "expire": the profile "documented" cannot revoke a token. If the service can, ${plan.howToExtend}`;
    yield { property: "retire", reason };
  }
  if (retire === "expire" && !hasExpiry(news))
    yield { property: "retire", reason: 'cannot be "expire" for a token that has no expiry' };
}

function* findRotationFailures({ expiresIn, rotation }: ApiTokenInputs, plan: Plan): Generator<CheckFailure, void> {
  if (rotation === undefined || hasUnknown(rotation)) return;
  const { rotateBefore, overlap, triggers } = rotation;
  if (rotateBefore === undefined && triggers === undefined && overlap === undefined)
    yield { property: "rotation", reason: "must have rotateBefore, overlap or triggers" };
  if (overlap !== undefined && !plan.can("tokens.regenerate")) {
    const advice = 'use retire: "expire" and a longer rotateBefore';
    const reason = `needs the profile "extended": the profile "documented" cannot change the expiry of a token; ${advice}`;
    yield { property: "rotation.overlap", reason };
  }
  if (rotateBefore === undefined || hasUnknown(expiresIn)) return;
  if (expiresIn === undefined)
    return yield { property: "expiresIn", reason: "is missing: rotation.rotateBefore needs it" };
  const [before, after] = [parseDuration(rotateBefore), parseDuration(expiresIn)];
  if (after && before && !isAlwaysShorter(before, after))
    yield {
      property: "rotation.rotateBefore",
      reason: "must be shorter than expiresIn, or every token would be due at once",
    };
}

/** The reason why a token is due for rotation now, or undefined. */
export function findDueReason(state: ApiTokenState, inputs: ApiTokenInputs, now: Date): string | undefined {
  const { rotateBefore } = inputs.rotation ?? {};
  const due = rotatesAt(state, inputs.rotation);
  if (!due || now < due || rotateBefore === undefined) return undefined;
  if (hasSecretInput(state, inputs)) return "its rotation is due";
  return `expires ${state.expiresAt?.slice(0, 10)}, inside the ${spellAsAdjective(rotateBefore)} window`;
}

/** The triggers whose values changed, as reasons for a rotation. */
export function listChangedTriggers(recorded: ApiTokenState, declared: ApiTokenInputs): string[] {
  const [a, b] = [recorded.rotation?.triggers ?? {}, declared.rotation?.triggers ?? {}];
  const names = [...new Set([...Object.keys(a), ...Object.keys(b)])].sort();
  const changed = names.filter((name) => !hasUnknown(b[name]) && !isSame((value) => value, a[name], b[name]));
  const isSecret = [recorded, declared].some((inputs) => isSecretInput(inputs, "rotation"));
  // Programs choose the names of triggers, so within a secret they are secret too.
  return changed.length > 0 && isSecret ? ["rotation.triggers"] : changed.map((name) => `rotation.triggers.${name}`);
}
