import type { CallOptions, Transport } from "../transport";
import { type AnnotationRecord, type AnnotationSpec, annotationFields } from "./annotationFields";
import { Collection } from "./collection";
import { readObject } from "./wire";

const readAnnotation = readObject<AnnotationSpec, AnnotationRecord>(annotationFields, (object) => object);

/**
 * `/v2/annotations` (documented interface, 4.6). Everything except `create` needs the extended profile (extended interface,
 * "Annotations").
 */
export class Annotations extends Collection<AnnotationRecord, AnnotationSpec> {
  constructor(http: Transport) {
    super(http, "annotations", readAnnotation, readAnnotation);
  }

  /**
   * Changes the given fields and keeps the others. An `endTime` can be changed but not removed.
   * @throws ApiError (404: no such annotation), RangeError for an id that cannot be part of an address
   */
  async update(id: string, changes: AnnotationSpec, options: CallOptions = {}): Promise<AnnotationRecord> {
    const call = { path: this.pathOf(id), body: changes, read: this.read, ...options };
    return await this.http.send("annotations.update", call);
  }
}
