import { Datasets, type OpenOptions } from "./datasets.js";

export type { Datasets, IngestOptions, IngestResult, LoadOptions, OpenOptions } from "./datasets.js";
export { isQueryError, type Place, QueryError, type QueryErrorKind } from "./errors.js";
export type { IngestFailure } from "./load/ingest.js";
export type { AplRequest, LegacyAggregation, LegacyFilter, LegacyRequest, VirtualField } from "./request.js";
export type {
  Aggregation,
  AplLegacyResult,
  AplResult,
  AplTabularResult,
  Buckets,
  FieldMeta,
  Group,
  Interval,
  LegacyResult,
  Match,
  Message,
  Status,
  Table,
  TableField,
} from "./result.js";

/** Opens the datasets of a folder, which is made if need be. DuckDB is loaded here and not before. */
export const openDatasets = (options: OpenOptions): Promise<Datasets> => Datasets.open(options);
