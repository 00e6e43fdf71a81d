import type { Reader } from "../../values/response";
import { path } from "../path";
import type { CallOptions, Transport } from "../transport";
import { type Listing, type ResponseObject, readList } from "./wire";

/** The requests that every kind of object supports, as far as the profile offers them. */
export abstract class Collection<T extends ResponseObject, Spec extends object, Created extends T = T> {
  constructor(
    protected readonly http: Transport,
    private readonly noun: "annotations" | "datasets" | "tokens",
    protected readonly read: Reader<T>,
    private readonly readCreated: Reader<Created>,
  ) {}

  /**
   * Creates an object. The request is not retried if it may have arrived: a second request would create a second object, or be
   * refused because a dataset with this name exists. Only this response has the secret of a token. A response with an id and, for
   * a token, a secret is a success, even if other fields have an unexpected type (`odd`).
   * @throws ApiError (409: a dataset with the name exists); with `outcome: "unknown"` the object may exist, and the secret of a
   *   token is lost
   */
  async create(spec: Spec, options: CallOptions = {}): Promise<Created> {
    const call = { path: this.pathOf(), body: spec, read: this.readCreated, ...options };
    return await this.http.send(`${this.noun}.create`, call);
  }

  /**
   * Gets an object by its id.
   * @throws ApiError (404: no such object), RangeError for an id that cannot be part of an address
   */
  async get(id: string, options: CallOptions = {}): Promise<T> {
    return await this.http.send(`${this.noun}.get`, { path: this.pathOf(id), read: this.read, ...options });
  }

  /**
   * All objects, in the service's order. Neither interface has filters or paging. The property `odd` of the list has the
   * entries that could not be read.
   * @throws ApiError
   */
  async list(options: CallOptions = {}): Promise<Listing<T>> {
    return await this.http.send(`${this.noun}.list`, { path: this.pathOf(), read: readList(this.read), ...options });
  }

  /**
   * Deletes an object permanently: a token stops working at once, and a dataset loses all of its events.
   * @throws ApiError (404: no such object), RangeError for an id that cannot be part of an address
   */
  async delete(id: string, options: CallOptions = {}): Promise<void> {
    return await this.http.send(`${this.noun}.delete`, { path: this.pathOf(id), ...options });
  }

  protected pathOf(id?: string) {
    return id === undefined ? path`/v2/${this.noun}` : path`/v2/${this.noun}/${id}`;
  }
}
