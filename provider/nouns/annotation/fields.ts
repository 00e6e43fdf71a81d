import { pick } from "../../../framework/compare";
import { judgeInputs } from "../../../framework/definition";
import { type Hints, isSecretInput } from "../../../framework/identity";
import type { Bag, CheckFailure } from "../../../framework/lifecycle";
import { judgeMembers, requireInput, type Shape, simple } from "../../../framework/shapes";
import { type AnnotationSpec, type ApiError, offers, type Profile } from "../../../sdk";
import { longestText } from "../../../sdk/resources/annotationFields";
import { defined } from "../../../values/defined";
import { canonicalInstant, isAfter } from "../../../values/instant";
import { annotationDefinition, liveAnnotation } from "./definition";

const shortText = (max: number): Shape =>
  simple(`must be at most ${max} characters long`, (value) => [...String(value)].length <= max);

/** Limits of Axiom. The documented interface names neither required fields nor limits. */
const limits: Readonly<Record<string, Shape>> = {
  ...Object.fromEntries(liveAnnotation.keys.map((key) => [key, shortText(longestText(key))])),
  type: simple(
    `must consist of lower-case letters, digits and hyphens, at most ${longestText("type")} in all`,
    (value) => /^[a-z0-9-]+$/.test(String(value)) && String(value).length <= longestText("type"),
  ),
};

/** Finds unusable fields, beyond the checks of the definition: fields that the profile requires or limits, and the range. */
export function checkAnnotation(news: Bag, { profile }: { readonly profile: Profile }): CheckFailure[] {
  if (!offers(profile, { profile: "extended" })) return rangeFailures(news);
  const limited = pick(news, Object.keys(limits));
  return [...requireInput(news, "type"), ...judgeMembers(limits, limited), ...rangeFailures(news)];
}

/** Finds mistakes in an annotation that no resource declares. */
export const judgeAnnotation = (spec: AnnotationSpec, settings: { readonly profile: Profile }): CheckFailure[] => [
  ...judgeInputs(annotationDefinition, { ...spec }),
  ...checkAnnotation({ ...spec }, settings),
];

function rangeFailures({ time, endTime }: Bag): CheckFailure[] {
  const isReversed = typeof time === "string" && typeof endTime === "string" && isAfter(time, endTime);
  return isReversed ? [{ property: "endTime", reason: "must not be before time" }] : [];
}

/**
 * Checks the final range, once a missing time is known.
 * @param hints of every value that the time can come from
 * @throws Error for an end before the start
 */
export function requireRange(spec: AnnotationSpec, hints: Pick<Hints, "secretInputs">): void {
  const [failure] = rangeFailures({ ...spec });
  if (!failure) return;
  const time = isSecretInput(hints, "time") ? "" : ` (${spec.time})`;
  throw new Error(`${failure.property} ${failure.reason}${time}`);
}

/** The request: the annotation's own fields, with instants in UTC with "Z". */
export function requestOf(spec: AnnotationSpec): AnnotationSpec {
  const { time, endTime, ...rest } = pick(spec, liveAnnotation.keys);
  const inUtc = (text: string | undefined) => (text ? (canonicalInstant(text) ?? text) : undefined);
  return { ...rest, ...defined({ time: inUtc(time), endTime: inUtc(endTime) }) };
}

/** The message about a create that may have been carried out. */
export const describePossibleAnnotation = (failure: ApiError): string =>
  `${failure.message}. The annotation may exist${failure.id ? ` (id ${failure.id})` : ""}; it was not sent again.`;
