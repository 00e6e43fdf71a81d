import * as v from "valibot";
import type { ResponseFields, ResponseObject, WireFields } from "./wireFields";

/**
 * The fields of a new annotation (documented interface, 2.2). The required fields and the values of `type` are not
 * documented.
 */
export interface AnnotationSpec {
  /** Names of the datasets that the annotation belongs to. */
  readonly datasets?: readonly string[] | undefined;
  /** Title. */
  readonly title?: string | undefined;
  /** Free text. */
  readonly description?: string | undefined;
  /** Kind of annotation. */
  readonly type?: string | undefined;
  /** When it applies: an ISO 8601 / RFC 3339 instant. Default of the public service: the time of the request. */
  readonly time?: string | undefined;
  /** The end of a range: an ISO 8601 / RFC 3339 instant. Default: a point in time. */
  readonly endTime?: string | undefined;
  /** A related link. */
  readonly url?: string | undefined;
}

/** An annotation in a response. A field is absent if the service left it out or sent null, or if it is odd. */
export interface AnnotationRecord extends ResponseFields<AnnotationSpec>, ResponseObject {}

/** The fields to change. An `endTime` of null removes the end. */
export interface AnnotationChanges extends Omit<AnnotationSpec, "endTime"> {
  /** The end of a range; null: a point in time. */
  readonly endTime?: string | null | undefined;
}

/** Every field of an annotation: requests, responses, comparisons and rules are checked against this list. */
export const annotationFields = {
  datasets: { response: v.array(v.string()), profile: "documented" },
  title: { response: v.string(), profile: "documented" },
  description: { response: v.string(), profile: "documented" },
  type: { response: v.string(), profile: "documented" },
  time: { response: v.string(), profile: "documented" },
  endTime: { response: v.string(), profile: "documented" },
  url: { response: v.string(), profile: "documented" },
} as const satisfies WireFields<AnnotationSpec>;
