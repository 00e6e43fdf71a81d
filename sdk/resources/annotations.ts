import { path } from "../path";
import type { CallOptions, Transport } from "../transport";
import { type AnnotationRecord, type AnnotationSpec, annotationFields } from "./annotationFields";
import { type Listing, readList, readObject } from "./wire";

const readAnnotation = readObject<AnnotationSpec, AnnotationRecord>(annotationFields, (object) => object);
const readAnnotations = readList(readAnnotation);

/** `/v2/annotations` (documented interface, 4.6; all but `create`: extended interface, "Annotations"). */
export class Annotations {
  readonly #http: Transport;

  constructor(http: Transport) {
    this.#http = http;
  }

  /**
   * Creates an annotation. The request is not retried if it may have arrived, because that would make a second one.
   * @throws ApiError; with `outcome: "unknown"` the annotation may exist
   */
  async create(spec: AnnotationSpec, options: CallOptions = {}): Promise<AnnotationRecord> {
    return await this.#http.send("annotations.create", {
      path: path`/v2/annotations`,
      body: spec,
      read: readAnnotation,
      ...options,
    });
  }

  /**
   * Gets an annotation by its id. Extended profile only.
   * @throws ApiError (404: no such annotation), RangeError for an id that cannot be part of an address
   */
  async get(id: string, options: CallOptions = {}): Promise<AnnotationRecord> {
    const call = { path: path`/v2/annotations/${id}`, read: readAnnotation, ...options };
    return await this.#http.send("annotations.get", call);
  }

  /**
   * All annotations, in the service's order. The list's `odd` has the entries that could not be read. Extended
   * profile only.
   * @throws ApiError
   */
  async list(options: CallOptions = {}): Promise<Listing<AnnotationRecord>> {
    return await this.#http.send("annotations.list", {
      path: path`/v2/annotations`,
      read: readAnnotations,
      ...options,
    });
  }

  /**
   * Changes the given fields and keeps the others. An `endTime` can be changed but not removed. Extended profile only.
   * @throws ApiError (404: no such annotation), RangeError for an id that cannot be part of an address
   */
  async update(id: string, changes: AnnotationSpec, options: CallOptions = {}): Promise<AnnotationRecord> {
    return await this.#http.send("annotations.update", {
      path: path`/v2/annotations/${id}`,
      body: changes,
      read: readAnnotation,
      ...options,
    });
  }

  /**
   * Deletes an annotation permanently. Extended profile only.
   * @throws ApiError (404: no such annotation), RangeError for an id that cannot be part of an address
   */
  async delete(id: string, options: CallOptions = {}): Promise<void> {
    return await this.#http.send("annotations.delete", { path: path`/v2/annotations/${id}`, ...options });
  }
}
