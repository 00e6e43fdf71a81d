import * as v from "valibot";
import { path } from "../path";
import type { CallOptions, Transport } from "../transport";
import { withoutNulls } from "../values/json";

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

/** What an update changes: the fields that are present. An `endTime` of null takes the end away. */
export interface AnnotationChanges extends Omit<AnnotationSpec, "endTime"> {
  readonly endTime?: string | null;
}

const entries = v.object({
  id: v.pipe(v.string(), v.nonEmpty()),
  datasets: v.exactOptional(v.array(v.string())),
  title: v.exactOptional(v.string()),
  description: v.exactOptional(v.string()),
  type: v.exactOptional(v.string()),
  time: v.exactOptional(v.string()),
  endTime: v.exactOptional(v.string()),
  url: v.exactOptional(v.string()),
});

const answered = v.pipe(v.unknown(), v.transform(withoutNulls));
const annotationSchema = v.pipe(answered, entries);
const annotationsSchema = v.pipe(answered, v.array(entries));

/** `/v2/annotations` (documented interface, 4.6; all but `create`: extended interface, "Annotations"). */
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

  /**
   * One annotation by its id.
   * @throws ApiError (404: no such annotation), RangeError for an id that is none
   */
  get(id: string, options: CallOptions = {}): Promise<AnnotationRecord> {
    return this.http.send("annotations.get", {
      path: path`/v2/annotations/${id}`,
      answer: annotationSchema,
      ...options,
    });
  }

  /**
   * All annotations, in the order in which the service lists them.
   * @throws ApiError
   */
  list(options: CallOptions = {}): Promise<AnnotationRecord[]> {
    return this.http.send("annotations.list", { path: path`/v2/annotations`, answer: annotationsSchema, ...options });
  }

  /**
   * Changes the fields that are given and leaves the others.
   * @throws ApiError (404: no such annotation), RangeError for an id that is none
   */
  update(id: string, changes: AnnotationChanges, options: CallOptions = {}): Promise<AnnotationRecord> {
    return this.http.send("annotations.update", {
      path: path`/v2/annotations/${id}`,
      body: changes,
      answer: annotationSchema,
      ...options,
    });
  }

  /**
   * Deletes an annotation for good.
   * @throws ApiError (404: no such annotation), RangeError for an id that is none
   */
  delete(id: string, options: CallOptions = {}): Promise<void> {
    return this.http.send("annotations.delete", { path: path`/v2/annotations/${id}`, ...options });
  }
}
