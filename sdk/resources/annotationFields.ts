import { type SpecOf, string, strings } from "../../values/jsonType";
import type { ResponseFields, ResponseObject, WireField } from "./wire";

/**
 * Every field of an annotation (documented interface, 2.2). Requests, responses and resources derive from this list. The
 * required fields and the values of `type` are not documented.
 */
export const annotationFields = {
  /** Names of the datasets that the annotation belongs to, at least one. Their order is ignored. */
  datasets: { response: strings, profile: "documented" },
  /** Title. Axiom accepts up to 256 characters. */
  title: { response: string, profile: "documented", maxLength: 256 },
  /** Description. Axiom accepts up to 512 characters. */
  description: { response: string, profile: "documented", maxLength: 512 },
  /** Kind of annotation. Axiom requires it. */
  type: { response: string, profile: "documented", maxLength: 256 },
  /**
   * The time that the annotation marks, or the start of its range: an RFC 3339 timestamp.
   * @default the time of creation
   */
  time: { response: string, profile: "documented" },
  /** End of the range: an RFC 3339 timestamp, not before `time`. */
  endTime: { response: string, profile: "documented" },
  /** Link that the annotation shows: an `http:` or `https:` address. */
  url: { response: string, profile: "documented", maxLength: 512 },
} as const;

/** The largest number of characters that Axiom accepts (extended interface, "Annotations"). */
export const longestText = (field: keyof AnnotationSpec): number =>
  (annotationFields[field] as WireField<unknown>).maxLength ?? Number.POSITIVE_INFINITY;

/** The fields of a new annotation. */
export interface AnnotationSpec extends SpecOf<typeof annotationFields> {}

/** An annotation in a response. A field is absent if the service left it out or sent null, or if it has an unexpected type. */
export interface AnnotationRecord extends ResponseFields<AnnotationSpec>, ResponseObject {}
