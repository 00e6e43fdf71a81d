import { asCapabilities, asText, isSame as hasSameMeaning } from "../framework/compare";
import { hasUnknown } from "../framework/unknown";
import { comparedFields, type TokenField } from "../provider/apiToken/fields";
import type { Token } from "../sdk";
import { mayEndLater, readExpiry } from "../values/expiry";
import type { Difference } from "./findings";
import { beyond, rightsOf } from "./rights";

/** Values by the token's field that they belong to. */
export type Fields = { readonly [field in TokenField]?: unknown };

/** What a token is compared with. */
export interface Expected {
  /** What was declared, or accepted in another way. */
  readonly declared: Fields;
  /** The values that the service gave for some of it when it created the token. */
  readonly given?: Fields;
}

/** How a live token compares with what is expected of it. */
export interface Comparison {
  readonly differences: readonly Difference[];
  /** Fields that could not be compared, in which the live token has nothing that it might not have. */
  readonly unknown: readonly TokenField[];
  /** Fields that could not be compared, in which it holds rights or an end that no readable value allows. */
  readonly uncompared: readonly TokenField[];
}

/** How one field compares. A field that cannot be compared is `hidden`; "grave" if what the live token has there is more. */
type Judgement =
  | { readonly hidden: "harmless" | "grave" }
  | (Pick<Difference, "escalates" | "gained" | "lost"> & { readonly than: unknown })
  | undefined;

type Judge = (declared: unknown, given: unknown, live: unknown) => Judgement;

const harmless: Judgement = { hidden: "harmless" };
const grave: Judgement = { hidden: "grave" };

const judges = {
  name: judgeText,
  description: judgeText,
  expiresAt: judgeExpiry,
  datasetCapabilities: judgeRights,
  orgCapabilities: judgeRights,
  viewCapabilities: judgeRights,
} as const satisfies Record<TokenField, Judge>;

/** The fields that say what a token may do, and until when. */
export const grantFields = comparedFields.filter((field) => judges[field] !== judgeText);

/**
 * Compares a live token field by field. What the service given at the creation is expected to stay so, as long as it is
 * no more than what was declared: a right or a later end is an escalation, whoever granted it.
 */
export function compareWithLive({ declared, given = {} }: Expected, live: Token, fields = comparedFields): Comparison {
  const comparison = {
    differences: [] as Difference[],
    unknown: [] as TokenField[],
    uncompared: [] as TokenField[],
  };
  for (const field of fields) {
    // The service sent something there that is not of the known shape: it may be any right, or any end.
    if (live.odd?.[field] !== undefined) {
      (grantFields.includes(field) ? comparison.uncompared : comparison.unknown).push(field);
      continue;
    }
    const judgement = judges[field](declared[field], given[field], live[field]);
    if (!judgement) continue;
    if ("hidden" in judgement) {
      (judgement.hidden === "grave" ? comparison.uncompared : comparison.unknown).push(field);
    } else {
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
  if (hasUnknown(declared) || hasUnknown(given)) return harmless;
  if (given !== undefined && hasSameMeaning(asText, given, live)) return undefined;
  return { than: given ?? declared, escalates: false };
}

function judgeExpiry(declared: unknown, given: unknown, live: unknown): Judgement {
  const end = readExpiry(live);
  const limits = [declared, given].filter((limit) => limit !== undefined && !hasUnknown(limit));
  const exceeded = limits.find((limit) => mayEndLater(end, readExpiry(limit)));
  if (exceeded !== undefined) return { than: exceeded, escalates: true };
  if (hasUnknown(declared)) return grave;
  const expected = limits.length > 0 ? limits : [undefined];
  if (expected.some((limit) => isSame(limit, live))) return undefined;
  if (hasUnknown(given)) return harmless;
  return { than: expected.at(-1), escalates: false };
}

/** Neither ends after the other. */
const isSame = (a: unknown, b: unknown): boolean =>
  !mayEndLater(readExpiry(a), readExpiry(b)) && !mayEndLater(readExpiry(b), readExpiry(a));

function judgeRights(declared: unknown, given: unknown, live: unknown): Judgement {
  const held = rightsOf(live);
  const allowed = rightsOf(declared);
  const wasGiven = given !== undefined && !hasUnknown(given);
  const sinceThen = wasGiven ? beyond(held, rightsOf(given)) : [];
  const more = beyond(held, allowed);
  const lost = beyond(wasGiven ? rightsOf(given) : allowed, held);
  if (hasUnknown(declared)) {
    if (sinceThen.length > 0) return { than: undefined, escalates: true, gained: sinceThen, lost };
    return more.length > 0 ? grave : harmless;
  }
  const gained = [...new Set([...more, ...sinceThen])].sort();
  if (gained.length > 0) return { than: declared, escalates: true, gained, lost };
  if (hasSameMeaning(asCapabilities, declared, live)) return undefined;
  if (hasUnknown(given)) return harmless;
  if (wasGiven && hasSameMeaning(asCapabilities, given, live)) return undefined;
  return { than: declared, escalates: false, gained, lost };
}

/** The service writes "no value" as the empty string too. */
const isNone = (value: unknown): boolean => value === undefined || value === null || value === "" || hasUnknown(value);

/** The difference in words. Texts are named, not quoted: a description can be long. */
export function describeDifference({ field, declared, live, gained = [], lost = [] }: Difference): string {
  switch (field) {
    case "description":
      return "description differs";
    case "name":
    case "expiresAt":
      return `${field} is ${live ?? "none"} instead of ${declared ?? "none"}`;
    default: {
      const parts = [gained.length > 0 && `gained ${listed(gained)}`, lost.length > 0 && `lost ${listed(lost)}`];
      return `${field} ${parts.filter(Boolean).join(" and ") || "differs"}`;
    }
  }
}

const longestList = 10;

/** A list that stays readable however long it is. */
export const listed = (items: readonly string[]): string =>
  items.length <= longestList
    ? items.join(", ")
    : `${items.slice(0, longestList).join(", ")} and ${items.length - longestList} more`;
