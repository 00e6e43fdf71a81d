import { parseExact } from "../../values/exactJson";
import { path } from "../path";
import { fetchPages } from "../queries/paging";
import { type AplRequest, type DatasetRequest, makeBody } from "../queries/request";
import type { AplResult, DatasetResult, Match, ResultFormat, TabularResult } from "../queries/result";
import { readAplResult, readDatasetResult, readTabularResult } from "../queries/resultSchema";
import type { CallOptions, Transport } from "../transport";

/** Options of one query. */
export interface QueryCallOptions extends CallOptions {
  /** Whether the service must not answer from its cache. Extended profile only. */
  readonly nocache?: boolean | undefined;
  /**
   * Has the service save the query as this kind, of which neither interface says more. Such a query is sent once only, whatever
   * becomes of it. Extended profile only.
   */
  readonly saveAsKind?: string | undefined;
}

/** Options of one query in the query language. */
export interface AplOptions<Format extends ResultFormat = ResultFormat> extends QueryCallOptions {
  /**
   * The form of the answer. Left out, it is the documented one. In the profile `documented` the parameter's name must be
   * known to ask for either (setting `formatParameter`).
   */
  readonly format?: Format | undefined;
  /** The dataset that goes with `saveAsKind`. Extended profile only. */
  readonly saveAsDataset?: string | undefined;
}

/** A query whose events are wanted page by page: in the query language, or structured with the id of its dataset. */
export type PagedQuery = AplRequest | (DatasetRequest & { readonly dataset: string });

/** Options of a query whose pages are asked for one after another: each would be saved anew. */
export type PageOptions = Omit<QueryCallOptions, "saveAsKind">;

const collectParameters = ({ nocache, saveAsKind }: QueryCallOptions) => ({
  nocache: nocache === undefined ? undefined : String(nocache),
  saveAsKind,
});

const findRepeatable = ({ saveAsKind }: QueryCallOptions): false | undefined =>
  saveAsKind === undefined ? undefined : false;

/** `/v1/datasets/…` (documented interface, 4.4 and 4.5). Queries are read only: a failed one is sent again. */
export class Queries {
  readonly #http: Transport;

  constructor(http: Transport) {
    this.#http = http;
  }

  /**
   * Runs a query in the query language. Look at `status`: an answer can be partial (`isPartial`) or carry warnings.
   * @throws ApiError; Error for a format or a field that the profile does not have; RangeError for an invalid Date
   */
  apl(request: AplRequest, options?: AplOptions<"legacy">): Promise<AplResult>;
  apl(request: AplRequest, options: AplOptions<"tabular">): Promise<TabularResult>;
  apl(request: AplRequest, options?: AplOptions): Promise<AplResult | TabularResult>;
  async apl(request: AplRequest, options: AplOptions = {}): Promise<AplResult | TabularResult> {
    const { format, saveAsDataset, signal } = options;
    return await this.#http.send<"queries.apl", AplResult | TabularResult>("queries.apl", {
      path: path`/v1/datasets/_apl`,
      parameters: { format, ...collectParameters(options), dataset_name: saveAsDataset },
      repeatable: findRepeatable(options),
      body: makeBody(request),
      parse: parseExact,
      read: format === "tabular" ? readTabularResult : readAplResult,
      signal,
    });
  }

  /**
   * Runs a structured query over one dataset, which the documented interface calls legacy. Look at `status`: an answer
   * can be partial (`isPartial`) or carry warnings.
   * @throws ApiError; Error for a field that the profile does not have; RangeError for an id that cannot be part of an
   *   address and for an invalid Date
   */
  async dataset(id: string, request: DatasetRequest, options: QueryCallOptions = {}): Promise<DatasetResult> {
    const { signal } = options;
    return await this.#http.send("queries.dataset", {
      path: path`/v1/datasets/${id}/query`,
      parameters: collectParameters(options),
      repeatable: findRepeatable(options),
      body: makeBody(request),
      parse: parseExact,
      read: readDatasetResult,
      signal,
    });
  }

  /**
   * The answers of a query one after another; the next is asked for when it is wanted. Follows `status.continuationToken`
   * of a structured query, and else the cursors of a list of events sorted by time (extended interface), which the query
   * language has in the profile `extended` only. Ends when the service gives nothing to go on with, or what it gave
   * before. A `limit` bounds a page, not the whole. Give absolute times: relative ones move between pages.
   * @throws as `apl` and `dataset` do
   */
  pages(query: AplRequest, options?: PageOptions): AsyncGenerator<AplResult, void, undefined>;
  pages(
    query: DatasetRequest & { readonly dataset: string },
    options?: PageOptions,
  ): AsyncGenerator<DatasetResult, void, undefined>;
  pages(query: PagedQuery, options?: PageOptions): AsyncGenerator<AplResult | DatasetResult, void, undefined>;
  pages(query: PagedQuery, options: PageOptions = {}): AsyncGenerator<AplResult | DatasetResult, void, undefined> {
    if ("apl" in query) {
      return fetchPages<AplResult>(query, ({ continuationToken: _, ...position }) => {
        // Where no later page can be asked for, better no page than one that looks like all there is.
        this.#http.checkBody("queries.apl", { cursor: "" });
        return this.apl({ ...query, ...position }, options);
      });
    }
    const { dataset, ...request } = query;
    return fetchPages<DatasetResult>(request, (position) =>
      this.dataset(dataset, { ...request, ...position }, options),
    );
  }

  /**
   * The events of a query one after another, over all its pages.
   * @throws as `apl` and `dataset` do
   */
  async *matches(query: PagedQuery, options: PageOptions = {}): AsyncGenerator<Match, void, undefined> {
    for await (const page of this.pages(query, options)) yield* page.matches;
  }
}
