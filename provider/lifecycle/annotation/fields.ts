import type { AnnotationSpec, ApiError } from "../../../sdk";
import { canonicalInstant, compareInstants } from "../../../sdk/values/instant";
import { asInstant, asSet, asText, changedKeys, pick } from "../compare";
import type { CheckFailure, Plan, Unchecked } from "../contract";
import { checkFields, httpUrl, instant, nonEmptyTextList, type Rule, text, textUpTo, typeName } from "../fields";

/** How each field of an annotation is compared. */
export const annotationComparisons = {
  datasets: asSet,
  title: asText,
  description: asText,
  type: asText,
  time: asInstant,
  endTime: asInstant,
  url: asText,
} as const;

export type AnnotationKey = keyof typeof annotationComparisons;

export const annotationKeys = Object.keys(annotationComparisons) as AnnotationKey[];

/** What any profile takes. */
const rules = {
  datasets: nonEmptyTextList,
  title: text,
  description: text,
  type: text,
  time: instant,
  endTime: instant,
  url: httpUrl,
};

/** Longest texts (extended interface, "Annotations"). */
export const lengths = { title: 256, description: 512, type: 256, url: 512 } as const;

const limits = {
  title: textUpTo(lengths.title),
  description: textUpTo(lengths.description),
  type: typeName(lengths.type),
  url: textUpTo(lengths.url),
};

/**
 * Every unusable field. Where annotations can be updated the service is the public one, whose limits are known.
 * @param more rules of the inputs beside an annotation's own
 */
export function checkAnnotation(
  news: Unchecked,
  plan: Pick<Plan, "can">,
  more: Readonly<Record<string, Rule>> = {},
): CheckFailure[] {
  const failures = checkFields({ ...rules, ...more }, news);
  const required = plan.can("annotations.update") ? ["datasets", "type"] : ["datasets"];
  for (const key of required) {
    if (news[key] === undefined || news[key] === null) failures.push({ property: key, reason: "is missing" });
  }
  if (plan.can("annotations.update")) {
    const failed = new Set(failures.map(({ property }) => property));
    const sound = Object.keys(limits).filter((key) => !failed.has(key));
    failures.push(...checkFields(limits, pick(news, sound)));
  }
  return [...failures, ...rangeFailures(news)];
}

function rangeFailures({ time, endTime }: Unchecked): CheckFailure[] {
  if (typeof time !== "string" || typeof endTime !== "string") return [];
  const [from, to] = [canonicalInstant(time), canonicalInstant(endTime)];
  return from && to && compareInstants(to, from) < 0
    ? [{ property: "endTime", reason: "must not be before time" }]
    : [];
}

/**
 * The range as it comes out when a time that was left out is known.
 * @throws Error for an end before the start
 */
export function requireRange(spec: AnnotationSpec): void {
  const [failure] = rangeFailures({ ...spec });
  if (failure) throw new Error(`${failure.property} ${failure.reason} (${spec.time})`);
}

/** The request: the annotation's own fields, instants in UTC with "Z". */
export function requestOf(spec: AnnotationSpec): AnnotationSpec {
  const { time, endTime, ...rest } = pick(spec, annotationKeys);
  return {
    ...rest,
    ...(time ? { time: canonicalInstant(time) ?? time } : {}),
    ...(endTime ? { endTime: canonicalInstant(endTime) ?? endTime } : {}),
  };
}

/** The values that the service answered differently from those it was sent. What it left out says nothing. */
export const answeredOtherwise = (sent: AnnotationSpec, answer: AnnotationSpec): Partial<AnnotationSpec> =>
  pick(answer, changedKeys(annotationComparisons, sent, answer));

/** What to say of a create that may have been carried out. */
export const mayExist = (failure: ApiError): string =>
  `${failure.message}. The annotation may exist${failure.id ? ` (id ${failure.id})` : ""}; it was not sent again.`;
