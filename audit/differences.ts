import { changedKeys } from "../provider/lifecycle/compare";
import { unknown } from "../provider/lifecycle/contract";
import { type TokenField, tokenComparisons, tokenFields } from "../provider/lifecycle/token/fields";
import type { Token } from "../sdk";
import { canonicalInstant, compareInstants } from "../sdk/values/instant";
import { flatten, minus } from "./capabilities";
import type { Difference } from "./findings";
import type { DeclaredToken } from "./state";

type Field = TokenField;
const fields = tokenFields;

/** The values to compare a live token with, and the fields that cannot be compared. */
export interface Expected {
  readonly values: { readonly [field in Field]?: unknown };
  readonly unknown: readonly Field[];
}

/**
 * What a live token should be: the recorded inputs, and over them what the service answered differently from the start.
 * The inputs are what the program last declared, or what a refresh since then accepted as drift. A field that only the
 * outputs have was decided when the token was made.
 */
export function expectedOf({ inputs, outputs }: DeclaredToken): Expected {
  const { answered = {} } = outputs;
  if (answered === unknown) return { values: {}, unknown: fields };
  const made = Object.fromEntries(fields.map((field) => [field, outputs[field]]));
  const values: Record<string, unknown> = { ...made, ...inputs, ...(answered as object) };
  return { values, unknown: fields.filter((field) => values[field] === unknown) };
}

/** How a live token differs from what it should be, by the provider's own comparison. */
export function differencesOf({ values, unknown: skipped }: Expected, live: Token): Difference[] {
  const known: Partial<typeof tokenComparisons> = { ...tokenComparisons };
  for (const field of skipped) delete known[field];
  return changedKeys(known as typeof tokenComparisons, values, live).map((field) =>
    differenceOf(field, values[field], live[field]),
  );
}

function differenceOf(field: Field, declared: unknown, live: unknown): Difference {
  const common = {
    field,
    ...(isNone(declared) ? {} : { declared }),
    ...(isNone(live) ? {} : { live }),
  };
  if (field === "expiresAt") return { ...common, escalates: isLater(live, declared) };
  if (field === "name" || field === "description") return { ...common, escalates: false };
  const [before, after] = [flatten(declared), flatten(live)];
  const gained = minus(after, before);
  return { ...common, gained, lost: minus(before, after), escalates: gained.length > 0 };
}

/** The service writes "no value" as the empty string too. */
const isNone = (value: unknown): boolean => value === undefined || value === null || value === "";

/** Whether one expiry comes after another; none is the latest. */
function isLater(a: unknown, b: unknown): boolean {
  if (isNone(a)) return !isNone(b);
  if (isNone(b)) return false;
  const [x, y] = [canonicalInstant(String(a)), canonicalInstant(String(b))];
  return x !== undefined && y !== undefined && compareInstants(x, y) > 0;
}

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

const most = 10;

/** A list that stays readable however long it is. */
export const listed = (items: readonly string[]): string =>
  items.length <= most ? items.join(", ") : `${items.slice(0, most).join(", ")} and ${items.length - most} more`;
