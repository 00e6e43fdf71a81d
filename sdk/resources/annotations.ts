import * as v from "valibot";
import { withoutNulls } from "../answer";
import { path } from "../path";
import type { CallOptions, Transport } from "../transport";

/**
 * What an annotation is created from (documented interface, 2.2). Which fields are required and which values `type` may
 * have is not documented.
 */
export interface AnnotationSpec {
  /** Names of the datasets that the annotation belongs to. */
  readonly datasets?: readonly string[];
  readonly title?: string;
  readonly description?: string;
  /** Kind of annotation. */
  readonly type?: string;
  /** When it applies: an ISO 8601 / RFC 3339 instant. */
  readonly time?: string;
  /** The end of a range: an ISO 8601 / RFC 3339 instant. */
  readonly endTime?: string;
  /** A link that goes with it. */
  readonly url?: string;
}

/** An annotation as the service answers it. */
export interface AnnotationRecord extends AnnotationSpec {
  readonly id: string;
}

const annotationSchema = v.pipe(
  v.unknown(),
  v.transform(withoutNulls),
  v.object({
    id: v.pipe(v.string(), v.nonEmpty()),
    datasets: v.exactOptional(v.array(v.string())),
    title: v.exactOptional(v.string()),
    description: v.exactOptional(v.string()),
    type: v.exactOptional(v.string()),
    time: v.exactOptional(v.string()),
    endTime: v.exactOptional(v.string()),
    url: v.exactOptional(v.string()),
  }),
);

/** `/v2/annotations` (documented interface, 4.6). */
export class Annotations {
  constructor(private readonly http: Transport) {}

  /**
   * Creates an annotation. Not sent again once it may have arrived: that would make a second one.
   * @throws ApiError; with `outcome: "unknown"` the annotation may exist
   */
  create(spec: AnnotationSpec, options: CallOptions = {}): Promise<AnnotationRecord> {
    return this.http.send("annotations.create", {
      path: path`/v2/annotations`,
      body: spec,
      answer: annotationSchema,
      ...options,
    });
  }
}
