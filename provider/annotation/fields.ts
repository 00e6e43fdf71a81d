import { asInstant, asSet, asText, type Canonical, pick } from "../../framework/compare";
import { LiveFields } from "../../framework/drift";
import { type Hints, isSecretInput } from "../../framework/identity";
import type { Bag, CheckFailure } from "../../framework/lifecycle";
import {
  checkFields,
  findMissing,
  httpUrl,
  instant,
  nonEmptyTextList,
  type Rule,
  requireInput,
  text,
  textUpTo,
  typeName,
} from "../../framework/rules";
import type { AnnotationSpec, ApiError, Profile } from "../../sdk";
import { annotationLengths } from "../../sdk/textLengths";
import { defined } from "../../values/defined";
import { canonicalInstant, isAfter } from "../../values/instant";
import { annotationDefinition } from "./definition";

/** How each field of an annotation is compared. */
export const annotationComparisons = {
  datasets: asSet,
  title: asText,
  description: asText,
  type: asText,
  time: asInstant,
  endTime: asInstant,
  url: asText,
} as const satisfies Record<keyof AnnotationSpec, Canonical>;

export type AnnotationKey = keyof typeof annotationComparisons;

export const liveAnnotation = new LiveFields<AnnotationSpec>(annotationComparisons);
export const annotationKeys: readonly AnnotationKey[] = liveAnnotation.keys;

/** The rules of every profile. */
const rules = {
  datasets: nonEmptyTextList,
  title: text,
  description: text,
  type: text,
  time: instant,
  endTime: instant,
  url: httpUrl,
} as const satisfies Record<AnnotationKey, Rule>;

interface ProfileRules {
  readonly required: readonly AnnotationKey[];
  readonly limits: Partial<Record<AnnotationKey, Rule>>;
}

/** Further rules. The documented interface names neither required fields nor limits. */
const profileRules: Readonly<Record<Profile, ProfileRules>> = {
  documented: { required: [], limits: {} },
  extended: {
    required: ["type"],
    limits: {
      title: textUpTo(annotationLengths.title),
      description: textUpTo(annotationLengths.description),
      type: typeName(annotationLengths.type),
      url: textUpTo(annotationLengths.url),
    },
  },
};

/** The required arguments that are absent in every profile. */
export const findMissingFields = (news: Bag): CheckFailure[] => findMissing(annotationDefinition, news);

/**
 * Every unusable field that is present, and those that the profile requires.
 * @param more rules of the inputs beside an annotation's own
 */
export function checkAnnotation(
  news: Bag,
  { profile }: { readonly profile: Profile },
  more: Readonly<Record<string, Rule>> = {},
): CheckFailure[] {
  const { required, limits } = profileRules[profile];
  const failures = [...checkFields({ ...rules, ...more }, news), ...required.flatMap((key) => requireInput(news, key))];
  const failed = new Set(failures.map(({ property }) => property));
  const sound = Object.keys(limits).filter((key) => !failed.has(key));
  return [...failures, ...checkFields(limits, pick(news, sound)), ...rangeFailures(news)];
}

function rangeFailures({ time, endTime }: Bag): CheckFailure[] {
  const isReversed = typeof time === "string" && typeof endTime === "string" && isAfter(time, endTime);
  return isReversed ? [{ property: "endTime", reason: "must not be before time" }] : [];
}

/**
 * The range as it comes out when a time that was left out is known.
 * @param hints of every value that the time can come from
 * @throws Error for an end before the start
 */
export function requireRange(spec: AnnotationSpec, hints: Pick<Hints, "secretInputs">): void {
  const [failure] = rangeFailures({ ...spec });
  if (!failure) return;
  const time = isSecretInput(hints, "time") ? "" : ` (${spec.time})`;
  throw new Error(`${failure.property} ${failure.reason}${time}`);
}

/** The request: the annotation's own fields, instants in UTC with "Z". */
export function requestOf(spec: AnnotationSpec): AnnotationSpec {
  const { time, endTime, ...rest } = pick(spec, annotationKeys);
  const inUtc = (text: string | undefined) => (text ? (canonicalInstant(text) ?? text) : undefined);
  return { ...rest, ...defined({ time: inUtc(time), endTime: inUtc(endTime) }) };
}

/** The words for a create that may have been carried out. */
export const describePossibleAnnotation = (failure: ApiError): string =>
  `${failure.message}. The annotation may exist${failure.id ? ` (id ${failure.id})` : ""}; it was not sent again.`;
