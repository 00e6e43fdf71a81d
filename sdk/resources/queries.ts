import { defined } from "../../values/defined";
import { parseExact } from "../../values/exactJson";
import { makePrintable } from "../../values/printable";
import { leaveOutSecret } from "../foreignText";
import { path } from "../path";
import { fetchPages } from "../queries/paging";
import { type AplRequest, type DatasetRequest, makeBody } from "../queries/request";
import type { AplResult, DatasetResult, Match, QueryStatus, ResultFormat, TabularResult } from "../queries/result";
import type { Settings } from "../settings";
import type { CallOptions, Transport } from "../transport";

/** Only a query needs the library of its schema. */
const loadReaders = () => require("../queries/result") as typeof import("../queries/result");

/** Options of one query. */
export interface QueryCallOptions extends CallOptions {
  /** Whether the service must not use its cache. Extended profile only. */
  readonly nocache?: boolean | undefined;
  /**
   * Saves the query at the service as this kind. The kinds are not documented. The query is then not retried.
   * Extended profile only.
   */
  readonly saveAsKind?: string | undefined;
}

/** Options of one APL query. */
export interface AplOptions<Format extends ResultFormat = ResultFormat> extends QueryCallOptions {
  /**
   * The form of the response. Default: the documented one. In the profile `documented`, this option needs the setting
   * `formatParameter`. `tabular-rows` of an edge deployment is not available, because its response is not documented: use
   * the function `rows`.
   */
  readonly format?: Format | undefined;
  /** The dataset that goes with `saveAsKind`. Extended profile only. */
  readonly saveAsDataset?: string | undefined;
}

/** A query whose events are read page by page: in APL, or structured with the id of its dataset. */
export type PagedQuery = AplRequest | (DatasetRequest & { readonly dataset: string });

/** Options of a query that is read page by page. It cannot be saved, because each page would be saved again. */
export type PageOptions = Omit<QueryCallOptions, "saveAsKind">;

const notAtEdge =
  "queries.dataset: an edge deployment (edgeUrl) accepts no structured queries, and elsewhere the result would leave it; use queries.apl";

/** The parts of a call that do not depend on its operation. */
const beginCall = ({ nocache, saveAsKind, signal }: QueryCallOptions) => ({
  parameters: { nocache: nocache === undefined ? undefined : String(nocache), saveAsKind },
  repeatable: saveAsKind === undefined ? undefined : (false as const),
  parse: parseExact,
  signal,
});

/** `/v1/datasets/…` (documented interface, 4.4 and 4.5). A query that is not saved only reads, so it can be retried. */
export class Queries {
  readonly #http: Transport;
  readonly #settings: Settings;

  /** @param http to the edge deployment if there is one (extended interface, "Edge deployments") */
  constructor(http: Transport, settings: Settings) {
    this.#http = http;
    this.#settings = settings;
  }

  /**
   * Runs an APL query. Check `status`: a response can be partial (`isPartial`) or have warnings.
   * @throws ApiError; Error for a format or a field that the profile does not have; RangeError for an invalid Date
   */
  apl(request: AplRequest, options?: AplOptions<"legacy">): Promise<AplResult>;
  apl(request: AplRequest, options: AplOptions<"tabular">): Promise<TabularResult>;
  apl(request: AplRequest, options?: AplOptions): Promise<AplResult | TabularResult>;
  async apl(request: AplRequest, options: AplOptions = {}): Promise<AplResult | TabularResult> {
    const { format, saveAsDataset } = options;
    const call = beginCall(options);
    const result = await this.#http.send<"queries.apl", AplResult | TabularResult>("queries.apl", {
      ...call,
      path: this.#settings.edgeUrl ? path`/v1/query/_apl` : path`/v1/datasets/_apl`,
      parameters: { format, ...call.parameters, dataset_name: saveAsDataset },
      body: makeBody(request),
      read: format === "tabular" ? loadReaders().readTabularResult : loadReaders().readAplResult,
    });
    return this.#hideToken(result);
  }

  /**
   * Runs a structured query over one dataset, which the documented interface calls legacy. Check `status`: a response
   * can be partial (`isPartial`) or have warnings.
   * @throws ApiError; Error for a field that the profile does not have, and with `edgeUrl`; RangeError for an id that
   *   cannot be part of an address and for an invalid Date
   */
  async dataset(id: string, request: DatasetRequest, options: QueryCallOptions = {}): Promise<DatasetResult> {
    if (this.#settings.edgeUrl) throw makePrintable(new Error(notAtEdge));
    const result = await this.#http.send("queries.dataset", {
      ...beginCall(options),
      path: path`/v1/datasets/${id}/query`,
      namelessPath: path`/v1/datasets/…/query`,
      body: makeBody(request),
      read: loadReaders().readDatasetResult,
    });
    return this.#hideToken(result);
  }

  /**
   * Makes messages safe, because programs print them and states keep them: a message with the access token is replaced, and
   * a long one is shortened.
   */
  #hideToken<Result extends { readonly status: QueryStatus }>(result: Result): Result {
    const hide = (text: string | undefined) => text && leaveOutSecret(text, this.#settings.accessToken);
    const { status } = result;
    const messages = status.messages.map((one) => defined({ ...one, code: hide(one.code), msg: hide(one.msg) }));
    return { ...result, status: { ...status, messages } };
  }

  /**
   * The pages of a query; each is requested when the caller asks for it. Follows `status.continuationToken` of a structured
   * query, otherwise the cursors of a list of events sorted by time (extended interface). APL queries have cursors only in the
   * profile `extended`. Ends when the service returns no position, or a previous one. A `limit` applies to each page. Use
   * absolute times: relative times move between pages.
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
        // If later pages are not available, the first page must not look like the complete result.
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
   * The events of all pages of a query: every event of a list that is sorted by time (see `pages`).
   * @throws as `apl` and `dataset` do; Error after the events of a page that is partial
   */
  async *matches(query: PagedQuery, options: PageOptions = {}): AsyncGenerator<Match, void, undefined> {
    for await (const { matches, status } of this.pages(query, options)) {
      yield* matches;
      if (!status.isPartial) continue;
      const problem = "the result is partial: events are missing; use queries.pages, which shows each status";
      throw makePrintable(new Error(`queries.matches: ${problem}`));
    }
  }
}
