import * as v from "valibot";
import type { Answered, AnsweredObject, WireFields } from "./wireFields";

/**
 * What an annotation is created from (documented interface, 2.2). Which fields are required and which values `type` may
 * have is not documented.
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
  /** When it applies: an ISO 8601 / RFC 3339 instant. The public service takes the time of the request by default. */
  readonly time?: string | undefined;
  /** The end of a range: an ISO 8601 / RFC 3339 instant. Default: a point in time. */
  readonly endTime?: string | undefined;
  /** A link that goes with it. */
  readonly url?: string | undefined;
}

/** An annotation as the service answers it. Absent fields are those the service left out or gave as null, and the odd ones. */
export interface AnnotationRecord extends Answered<AnnotationSpec>, AnsweredObject {}

/** What an update changes: the fields that are present. An `endTime` of null takes the end away. */
export interface AnnotationChanges extends Omit<AnnotationSpec, "endTime"> {
  /** The end of a range; null: a point in time. */
  readonly endTime?: string | null | undefined;
}

/** Every field of an annotation: the one list that requests, answers, comparisons and rules are checked against. */
export const annotationFields = {
  datasets: { answer: v.array(v.string()), profile: "documented" },
  title: { answer: v.string(), profile: "documented" },
  description: { answer: v.string(), profile: "documented" },
  type: { answer: v.string(), profile: "documented" },
  time: { answer: v.string(), profile: "documented" },
  endTime: { answer: v.string(), profile: "documented" },
  url: { answer: v.string(), profile: "documented" },
} as const satisfies WireFields<AnnotationSpec>;
