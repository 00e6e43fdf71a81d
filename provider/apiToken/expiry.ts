import { asInstant, type Canonical, isSame } from "../../framework/compare";
import { type Hints, isSecretInput, pathWithin } from "../../framework/identity";
import type { Bag, CheckFailure } from "../../framework/lifecycle";
import { hasUnknown } from "../../framework/unknown";
import { isAlwaysShorter, parseDuration, shift, spellAsAdjective } from "../../values/duration";
import { canonicalInstant } from "../../values/instant";
import type { Plan } from "../account/connection";
import { apiTokenDefinition } from "./definition";
import type { ApiTokenInputs } from "./model";
import { computeEnd, type Lifetime, rotatesAt } from "./rotation";

/** The three ways to say when a token expires. */
export type ExpiryInputs = Partial<Pick<ApiTokenInputs, "expiresAt" | "expiresIn" | "rotation">>;

/** Whether the expiry of a token derives from a secret input. */
export const hidesEnd = (values: Pick<Hints, "secretInputs">): boolean =>
  isSecretInput(values, ...apiTokenDefinition.properties.expiresAt.derivesFrom);

/** Whether the times of a rotation derive from a secret input. */
export const hidesRotation = (values: Pick<Hints, "secretInputs">): boolean =>
  hidesEnd(values) || isSecretInput(values, "rotation");

export const secretExpiry = "its expiry, which is secret";

/**
 * How long a token stays valid that is not revoked.
 * @param values whose secret inputs can tell its expiry
 */
export const describeValidity = (expiresAt: string | undefined, ...values: Pick<Hints, "secretInputs">[]): string => {
  if (expiresAt === undefined) return "has no expiry and stays valid";
  return `stays valid until ${values.some(hidesEnd) ? secretExpiry : expiresAt}`;
};

/** Why a token without an expiry cannot be left to it. */
export const cannotExpire = (able: Pick<Plan, "can">): string =>
  `retire cannot be "expire", since this token has no expiry. ${able.can("tokens.delete") ? 'Set retire to "revoke", or leave it out.' : "Leave it out."}`;

/** The service's clock can differ from this one. */
const clockTolerance = 5 * 60_000;

/** Whether the expiry is counted from the creation, and so is not among the declared values. */
export const countsFromCreation = ({ expiresIn, rotation }: ExpiryInputs): boolean =>
  expiresIn !== undefined || rotation?.expireAfter !== undefined;

/** The expiry to ask the service for: UTC, "Z" (documented interface, 2.1). */
export function requestedExpiry(inputs: ExpiryInputs, now: Date): string | undefined {
  const lifetime = lifetimeOf(inputs);
  if (lifetime === undefined) return inputs.expiresAt === undefined ? undefined : canonicalInstant(inputs.expiresAt);
  const duration = parseDuration(lifetime);
  return duration && toTheSecond(shift(now, duration, 1));
}

/** An expiry to send: a service may drop the fraction, which would look like a change. */
export const toTheSecond = (instant: Date): string => `${instant.toISOString().slice(0, 19)}Z`;

export const asDuration: Canonical = (value) => {
  const duration = typeof value === "string" ? parseDuration(value) : undefined;
  return duration ? [duration.months, duration.milliseconds] : undefined;
};

/** The lifetime that a token's expiry is counted with. */
export const lifetimeOf = ({ expiresIn, rotation }: ExpiryInputs): string | undefined =>
  expiresIn ?? rotation?.expireAfter;

/** Whether a token has an expiry, as far as is known. */
export const hasExpiry = (inputs: ExpiryInputs): boolean =>
  inputs.expiresAt !== undefined || lifetimeOf(inputs) !== undefined || hasUnknown(inputs.rotation);

/** The option `ignoreChanges` copies an expiry that a refresh recorded beside a counted one: nobody declared it. */
const isCopied = (olds: Bag | undefined, { expiresAt }: ExpiryInputs): boolean =>
  olds !== undefined && countsFromCreation(olds as ExpiryInputs) && isSame(asInstant, olds.expiresAt, expiresAt);

/** Everything that is wrong with an expiry, and with a rotation or a fate that depends on it. `news` are well-formed. */
export function* findExpiryFailures(
  olds: Bag | undefined,
  news: ApiTokenInputs,
  plan: Plan,
): Generator<CheckFailure, void> {
  const { expiresAt, expiresIn, retire, adopt } = news;
  const rotation = hasUnknown(news.rotation) ? undefined : news.rotation;
  const { expireAfter, rotateBefore, overlap } = rotation ?? {};
  const ways = Object.entries({
    expiresAt: isCopied(olds, news) ? undefined : expiresAt,
    expiresIn,
    "rotation.expireAfter": expireAfter,
  });
  const [way, other] = ways.flatMap(([name, value]) => (value === undefined ? [] : [name]));
  if (other !== undefined) return yield { property: other, reason: `cannot be set together with ${way}` };
  if (rotation && Object.values(rotation).every((member) => member === undefined))
    return yield { property: "rotation", reason: "must hold expireAfter and rotateBefore, or triggers" };
  if (overlap !== undefined && !plan.can("tokens.regenerate")) {
    const advice = 'use retire: "expire" and a longer rotateBefore';
    const reason = `needs the profile extended: the documented interface cannot change the expiry of a token; ${advice}`;
    yield { property: "rotation.overlap", reason };
  }
  if ((expireAfter === undefined) !== (rotateBefore === undefined)) {
    const missing = expireAfter === undefined ? "expireAfter" : "rotateBefore";
    yield { property: `rotation.${missing}`, reason: "is missing: expireAfter and rotateBefore go together" };
  }
  const [after, before] = [parseDuration(expireAfter ?? ""), parseDuration(rotateBefore ?? "")];
  if (after && before && !isAlwaysShorter(before, after)) {
    const reason = "must be shorter than rotation.expireAfter, or every token would be due at once";
    yield { property: "rotation.rotateBefore", reason };
  }
  // A new token must not be expired; a managed or adopted one can be.
  const end = hasUnknown(expiresAt) ? undefined : computeEnd({ expiresAt }, undefined);
  const isOld = adopt !== undefined || (olds?.expiresAt !== undefined && isSame(asInstant, olds.expiresAt, expiresAt));
  if (end && !isOld && end.getTime() <= plan.now().getTime() - clockTolerance)
    yield { property: "expiresAt", reason: "is in the past: the token would be of no use" };
  if (!hasExpiry(news) && plan.requireExpiry) {
    const reason = "is missing, and event-datasets:requireExpiry is set: give expiresAt, expiresIn or rotation";
    yield { property: "expiresAt", reason };
  }
  if (retire === "revoke" && !plan.can("tokens.delete"))
    yield { property: "retire", reason: 'must be "expire": the documented interface cannot revoke a token' };
  if (retire === "expire" && !hasExpiry(news))
    yield { property: "retire", reason: 'cannot be "expire" for a token that has no expiry' };
}

/** Why a token is due for rotation now; undefined: it is not. */
export function dueReason(
  state: Lifetime & Pick<Hints, "secretInputs">,
  inputs: ApiTokenInputs,
  now: Date,
): string | undefined {
  const { rotation } = inputs;
  const due = rotatesAt(state, rotation);
  if (!due || now < due || rotation?.rotateBefore === undefined) return undefined;
  if (hidesRotation(state) || hidesRotation(inputs)) return "its rotation is due";
  const day = computeEnd(state, rotation)?.toISOString().slice(0, 10);
  const ends = state.expiresAt?.startsWith(String(day)) ? "expires" : "is to end";
  return `${ends} ${day}, inside the ${spellAsAdjective(rotation.rotateBefore)} window`;
}

/** The triggers whose values changed, as reasons. */
export function changedTriggers(
  recorded: Pick<ApiTokenInputs, "rotation" | "secretInputs">,
  declared: Pick<ApiTokenInputs, "rotation" | "secretInputs">,
): string[] {
  const [a, b] = [recorded.rotation?.triggers ?? {}, declared.rotation?.triggers ?? {}];
  const names = [...new Set([...Object.keys(a), ...Object.keys(b)])].sort();
  const changed = names.filter((name) => !hasUnknown(b[name]) && !isSame((value) => value, a[name], b[name]));
  const isSecret = [recorded, declared].some((inputs) => isSecretInput(inputs, "rotation"));
  return [...new Set(changed.map((name) => pathWithin("rotation.triggers", name, isSecret)))];
}
