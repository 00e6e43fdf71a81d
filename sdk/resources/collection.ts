import type { Reader } from "../../values/response";
import { path } from "../path";
import type { CallOptions, Transport } from "../transport";
import { type Listing, type ResponseObject, readList } from "./wire";

/** The requests that every kind of object supports, as far as the profile offers them. */
export abstract class Collection<T extends ResponseObject> {
  protected readonly http: Transport;
  protected readonly read: Reader<T>;
  readonly #noun: "annotations" | "datasets" | "tokens";
  readonly #readList: Reader<Listing<T>>;

  constructor(http: Transport, noun: "annotations" | "datasets" | "tokens", read: Reader<T>) {
    this.http = http;
    this.read = read;
    this.#noun = noun;
    this.#readList = readList(read);
  }

  /**
   * Gets an object by its id.
   * @throws ApiError (404: no such object), RangeError for an id that cannot be part of an address
   */
  async get(id: string, options: CallOptions = {}): Promise<T> {
    return await this.http.send(`${this.#noun}.get`, { path: this.pathOf(id), read: this.read, ...options });
  }

  /**
   * All objects, in the service's order. Neither interface has filters or paging. The list's `odd` has the entries that could not be
   * read.
   * @throws ApiError
   */
  async list(options: CallOptions = {}): Promise<Listing<T>> {
    return await this.http.send(`${this.#noun}.list`, { path: this.pathOf(), read: this.#readList, ...options });
  }

  /**
   * Deletes an object for good: a token stops working at once, and a dataset loses all of its events.
   * @throws ApiError (404: no such object), RangeError for an id that cannot be part of an address
   */
  async delete(id: string, options: CallOptions = {}): Promise<void> {
    return await this.http.send(`${this.#noun}.delete`, { path: this.pathOf(id), ...options });
  }

  protected pathOf(id?: string) {
    return id === undefined ? path`/v2/${this.#noun}` : path`/v2/${this.#noun}/${id}`;
  }
}
