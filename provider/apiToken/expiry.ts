import { type Canonical, isSame } from "../../framework/compare";
import { type Hints, isSecretInput } from "../../framework/identity";
import type { Bag, CheckFailure } from "../../framework/lifecycle";
import { hasUnknown } from "../../framework/unknown";
import { isAlwaysShorter, parseDuration, shift, spellAsAdjective } from "../../values/duration";
import { canonicalInstant } from "../../values/instant";
import type { Plan } from "../account/connection";
import { apiTokenDefinition } from "./definition";
import type { ApiTokenInputs } from "./model";
import { computeEnd, type Lifetime, type Rotation, rotatesAt } from "./rotation";

/** The three ways to say when a token expires. */
export interface ExpiryInputs {
  readonly expiresAt?: string | undefined;
  readonly expiresIn?: string | undefined;
  readonly rotation?: Rotation | undefined;
}

/** Whether the expiry of a token derives from a secret input. */
export const hidesEnd = (values: Pick<Hints, "secretInputs">): boolean =>
  isSecretInput(values, ...apiTokenDefinition.properties.expiresAt.derivesFrom);

/** Whether the times of a rotation derive from a secret input. */
export const hidesRotation = (values: Pick<Hints, "secretInputs">): boolean =>
  hidesEnd(values) || isSecretInput(values, "rotation");

/**
 * Whether the expiry that an overlap gives a token derives from a secret input.
 * @param inputs of its successor
 */
export const hidesOverlap = (state: Pick<Hints, "secretInputs">, inputs: Pick<Hints, "secretInputs">): boolean =>
  hidesEnd(state) || hidesRotation(inputs);

export const secretExpiry = "its expiry, which is secret";

/**
 * How long a token stays valid that is not revoked.
 * @param values whose secret inputs can tell its expiry
 */
export const describeValidity = (expiresAt: string | undefined, ...values: Pick<Hints, "secretInputs">[]): string => {
  if (expiresAt === undefined) return "has no expiry and stays valid";
  return `stays valid until ${values.some(hidesEnd) ? secretExpiry : expiresAt}`;
};

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
export const toTheSecond = (instant: Date): string | undefined =>
  canonicalInstant(`${instant.toISOString().slice(0, 19)}Z`);

export const asDuration: Canonical = (value) => {
  const duration = typeof value === "string" ? parseDuration(value) : undefined;
  return duration ? [duration.months, duration.milliseconds] : undefined;
};

/** The lifetime that a token's expiry is counted with. */
export const lifetimeOf = ({ expiresIn, rotation }: ExpiryInputs): string | undefined =>
  expiresIn ?? rotation?.expireAfter;

/** The failures of an expiry and a rotation. `news` are well-formed. */
export function expiryFailures(olds: Bag | undefined, news: Bag, plan: Plan): CheckFailure[] {
  const rotation = (hasUnknown(news.rotation) ? {} : (news.rotation ?? {})) as Rotation;
  const ways = [
    ...(news.expiresAt === undefined ? [] : ["expiresAt"]),
    ...(news.expiresIn === undefined ? [] : ["expiresIn"]),
    ...(rotation.expireAfter === undefined ? [] : ["rotation.expireAfter"]),
  ];
  if (ways.length > 1) return [{ property: ways[1] ?? "", reason: `cannot be set together with ${ways[0]}` }];
  const isEmpty = news.rotation !== undefined && Object.values(rotation).every((member) => member === undefined);
  if (isEmpty && !hasUnknown(news.rotation)) {
    return [{ property: "rotation", reason: "must hold expireAfter and rotateBefore, or triggers" }];
  }
  return [...rotationFailures(rotation, plan), ...pastFailures(olds, news, plan), ...missingFailures(ways, news, plan)];
}

function rotationFailures({ expireAfter, rotateBefore, overlap }: Rotation, plan: Plan): CheckFailure[] {
  if (overlap !== undefined && !plan.can("tokens.regenerate")) {
    const advice = 'use retire: "expire" and a longer rotateBefore';
    const reason = `needs the profile extended: the documented interface cannot change the expiry of a token; ${advice}`;
    return [{ property: "rotation.overlap", reason }];
  }
  if ((expireAfter === undefined) !== (rotateBefore === undefined)) {
    const missing = expireAfter === undefined ? "expireAfter" : "rotateBefore";
    return [{ property: `rotation.${missing}`, reason: "is missing: expireAfter and rotateBefore go together" }];
  }
  const [after, before] = [parseDuration(expireAfter ?? ""), parseDuration(rotateBefore ?? "")];
  if (!after || !before || isAlwaysShorter(before, after)) return [];
  return [
    {
      property: "rotation.rotateBefore",
      reason: "must be shorter than rotation.expireAfter, or every token would be due at once",
    },
  ];
}

/** A new token must not be expired; a managed or adopted one can be. */
function pastFailures(olds: Bag | undefined, { expiresAt, adopt }: Bag, plan: Plan): CheckFailure[] {
  const instant = typeof expiresAt === "string" ? canonicalInstant(expiresAt) : undefined;
  const kept = olds !== undefined && typeof olds.expiresAt === "string" && canonicalInstant(olds.expiresAt) === instant;
  if (!instant || kept || adopt !== undefined || Date.parse(instant) > plan.now().getTime() - clockTolerance) return [];
  return [{ property: "expiresAt", reason: "is in the past: the token would be of no use" }];
}

function missingFailures(ways: readonly string[], news: Bag, plan: Plan): CheckFailure[] {
  if (ways.length > 0 || hasUnknown(news.rotation) || !plan.requireExpiry) return [];
  return [
    {
      property: "expiresAt",
      reason: "is missing, and event-datasets:requireExpiry is set: give expiresAt, expiresIn or rotation",
    },
  ];
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
export function changedTriggers(recorded: Rotation | undefined, declared: Rotation | undefined): string[] {
  const [a, b] = [recorded?.triggers ?? {}, declared?.triggers ?? {}];
  const names = [...new Set([...Object.keys(a), ...Object.keys(b)])].sort();
  const changed = names.filter((name) => !hasUnknown(b[name]) && !isSame((value) => value, a[name], b[name]));
  return changed.map((name) => `rotation.triggers.${name}`);
}
