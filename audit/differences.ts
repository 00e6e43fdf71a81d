import { asNestedSets, asText, isSame as hasSameMeaning } from "../framework/compare";
import { hasUnknown, notKnown } from "../framework/unknown";
import { liveToken, type TokenField } from "../provider/nouns/apiToken/definition";
import type { Token } from "../sdk";
import { expiryTime, mayExpireLater, readExpiry } from "../values/expiry";
import { joinShortened } from "../values/shorten";
import type { DeclaredToken } from "./declared";
import type { Difference } from "./findings";
import { capabilitiesOf, isExpired, type LiveToken, subtract } from "./liveToken";

/** Values of a token by field. */
export type Fields = { readonly [field in TokenField]?: unknown };

/** The values to compare a token with. */
export interface Expected {
  /** Values that were declared, or that a policy accepts. */
  readonly declared: Fields;
  /** Values that the service gave for some fields when it created the token. */
  readonly given?: Fields;
}

/** The result of comparing a live token with its expected values. */
export interface Comparison {
  readonly differences: readonly Difference[];
  /** Fields that could not be compared, and in which the live token may grant more than the readable values. */
  readonly uncompared: readonly TokenField[];
}

/** The result for one field: undefined if the live token grants nothing beyond what can be read. */
type Judgement =
  | { readonly hidden: true }
  | (Pick<Difference, "escalates" | "gained" | "lost"> & { readonly than: unknown })
  | undefined;

type Judge = (declared: unknown, given: unknown, live: unknown) => Judgement;

/** The field cannot be compared, and the live token may grant more there. */
const grave: Judgement = { hidden: true };

const judges = {
  name: judgeText,
  description: judgeText,
  expiresAt: judgeExpiry,
  datasetCapabilities: judgeCapabilities,
  orgCapabilities: judgeCapabilities,
  viewCapabilities: judgeCapabilities,
} as const satisfies Record<TokenField, Judge>;

/** The fields that grant something: capabilities and expiry. */
export const grantFields: readonly TokenField[] = liveToken.keys.filter((field) => judges[field] !== judgeText);

/**
 * Compares a live token field by field. A value that the service gave at the creation is expected to stay, unless it grants more
 * than was declared: a capability or a later expiry is an escalation, whoever granted it.
 */
export function compareWithLive(
  { declared, given = {} }: Expected,
  live: Token,
  fields: readonly TokenField[] = liveToken.keys,
): Comparison {
  const comparison = {
    differences: [] as Difference[],
    uncompared: [] as TokenField[],
  };
  for (const field of fields) {
    // A value of an unknown form can be any capability, or any expiry.
    if (live.odd?.[field] !== undefined) {
      if (grantFields.includes(field)) comparison.uncompared.push(field);
      continue;
    }
    const judgement = judges[field](declared[field], given[field], live[field]);
    if (!judgement) continue;
    if ("hidden" in judgement) comparison.uncompared.push(field);
    else {
      const { than, ...rest } = judgement;
      const shown = {
        ...(isNone(than) ? {} : { declared: than }),
        ...(isNone(live[field]) ? {} : { live: live[field] }),
      };
      comparison.differences.push({ field, ...shown, ...rest });
    }
  }
  return comparison;
}

function judgeText(declared: unknown, given: unknown, live: unknown): Judgement {
  if (!hasUnknown(declared) && hasSameMeaning(asText, declared, live)) return undefined;
  if (hasUnknown(declared) || hasUnknown(given)) return undefined;
  if (given !== undefined && hasSameMeaning(asText, given, live)) return undefined;
  return { than: given ?? declared, escalates: false };
}

function judgeExpiry(declared: unknown, given: unknown, live: unknown): Judgement {
  const expiry = readExpiry(live);
  const limits = [declared, given].filter((limit) => limit !== undefined && !hasUnknown(limit));
  const exceeded = limits.find((limit) => mayExpireLater(expiry, readExpiry(limit)));
  if (exceeded !== undefined) return { than: exceeded, escalates: true };
  if (hasUnknown(declared)) return grave;
  const expected = limits.length > 0 ? limits : [undefined];
  if (expected.some((limit) => isSame(limit, live))) return undefined;
  if (hasUnknown(given)) return undefined;
  return { than: expected.at(-1), escalates: false };
}

/** Whether neither expires after the other. */
const isSame = (a: unknown, b: unknown): boolean =>
  !mayExpireLater(readExpiry(a), readExpiry(b)) && !mayExpireLater(readExpiry(b), readExpiry(a));

function judgeCapabilities(declared: unknown, given: unknown, live: unknown): Judgement {
  const held = capabilitiesOf(live);
  const allowed = capabilitiesOf(declared);
  const wasGiven = given !== undefined && !hasUnknown(given);
  const sinceThen = wasGiven ? subtract(held, capabilitiesOf(given)) : [];
  const more = subtract(held, allowed);
  const lost = subtract(wasGiven ? capabilitiesOf(given) : allowed, held);
  if (hasUnknown(declared)) {
    if (sinceThen.length > 0) return { than: undefined, escalates: true, gained: sinceThen, lost };
    return more.length > 0 ? grave : undefined;
  }
  const gained = [...new Set([...more, ...sinceThen])].sort();
  if (gained.length > 0) return { than: declared, escalates: true, gained, lost };
  if (hasSameMeaning(asNestedSets, declared, live)) return undefined;
  if (hasUnknown(given)) return undefined;
  if (wasGiven && hasSameMeaning(asNestedSets, given, live)) return undefined;
  return { than: declared, escalates: false, gained, lost };
}

/** The service writes "no value" as the empty string too. */
const isNone = (value: unknown): boolean => value === undefined || value === null || value === "" || hasUnknown(value);

/** The difference in words. They do not quote a description, because it can be long. */
export function describeDifference({ field, declared, live, gained = [], lost = [] }: Difference): string {
  switch (field) {
    case "description":
      return "description differs";
    case "name":
    case "expiresAt":
      return `${field} is ${live ?? "none"} instead of ${declared ?? "none"}`;
    default: {
      const parts = [
        gained.length > 0 && `gained ${joinShortened(gained)}`,
        lost.length > 0 && `lost ${joinShortened(lost)}`,
      ];
      return `${field} ${parts.filter(Boolean).join(" and ") || "differs"}`;
    }
  }
}

/**
 * The expected values of a live token: those that the program declared last, whatever a refresh has found since. An expiry that
 * is only in the outputs was computed when the token was created.
 */
export function expectedOf(token: DeclaredToken): Expected {
  const { inputs, outputs } = token;
  const { name, description, datasetCapabilities, orgCapabilities, viewCapabilities } = inputs;
  const declared = {
    name: name ?? outputs.name,
    description,
    expiresAt: expectedExpiry(token),
    datasetCapabilities,
    orgCapabilities,
    viewCapabilities,
  } satisfies Required<Fields>;
  const { record } = token;
  // A refresh put live values into the inputs: the program declared the recorded ones, which may be encrypted.
  const drifted = Object.fromEntries(
    record.drifted.map((field) => [field, record.isHidden ? notKnown : record.declared[field]]),
  );
  // Nothing is known about the values that the service gave.
  if (record.isHidden) {
    const given = Object.fromEntries(Object.keys(declared).map((key) => [key, notKnown]));
    return { declared: { ...declared, ...drifted }, given };
  }
  const chosen = Object.keys(record.declared).filter((field) => !record.drifted.includes(field));
  const given = Object.fromEntries(chosen.map((field) => [field, outputs[field] ?? ""]));
  return { declared: { ...declared, ...drifted }, given };
}

/** The expected name of a token; undefined if the name is encrypted. */
export function nameOf(token: DeclaredToken): string | undefined {
  const { name } = expectedOf(token).declared;
  return typeof name === "string" ? name : undefined;
}

/** The declared expiry, and the one that the service gave. */
export function expiriesOf(token: DeclaredToken): readonly unknown[] {
  const { declared, given = {} } = expectedOf(token);
  return [declared.expiresAt, given.expiresAt].filter((expiry) => expiry !== undefined);
}

/** Whether an expiry has certainly passed. */
const isPast = (expiry: unknown, now: number): boolean =>
  isExpired({ expiryTime: expiryTime(readExpiry(expiry)) }, now);

/** Whether every expected expiry has passed. */
export function hasExpired(token: DeclaredToken, now: number): boolean {
  const expiries = expiriesOf(token);
  return expiries.length > 0 && expiries.every((expiry) => isPast(expiry, now));
}

/** Whether a live token has expired, although no declared expiry has. Nothing is known about an encrypted expiry. */
export const isCutShort = (token: DeclaredToken, live: LiveToken, now: number): boolean =>
  isExpired(live, now) && !expiriesOf(token).some((one) => hasUnknown(one) || isPast(one, now));

/** Services round an expiry that was counted to the millisecond. */
const roundingTolerance = 5 * 60_000;

/** The declared expiry; if it is counted from the creation, the requested one; unknown if it is encrypted. */
function expectedExpiry({ inputs, outputs, record }: DeclaredToken): unknown {
  const requested = inputs.expiresIn === undefined ? undefined : record.declared.expiresAt;
  const [declared, given] = [inputs.expiresAt ?? requested, outputs.expiresAt];
  const isRounded = inputs.expiresAt === undefined && isWithinTolerance(requested, given);
  const candidates = isRounded ? [given] : [declared, given];
  return candidates.find((expiry) => expiry !== undefined && typeof expiry !== "symbol") ?? declared ?? given;
}

function isWithinTolerance(requested: unknown, given: unknown): boolean {
  const [a, b] = [requested, given].map((expiry) => expiryTime(readExpiry(expiry)));
  return a !== undefined && b !== undefined && Math.abs(a - b) <= roundingTolerance;
}
