import { Datasets, type OpenOptions } from "./datasets";

export type { Datasets, IngestOptions, IngestResult, LoadOptions, OpenOptions } from "./datasets";
export { isQueryError, type QueryError } from "./errors";
export { parseEvents } from "./exactJson";
export { type CsvOptions, parseCsv } from "./load/csvEvents";
export { timeReader } from "./load/goTime";
export type { IngestFailure } from "./load/ingest";
export type { AplRequest, LegacyAggregation, LegacyFilter, LegacyRequest, VirtualField } from "./request";
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
} from "./result";

/** Opens the datasets of a folder, and creates the folder if needed. DuckDB is loaded only here. */
export const openDatasets = (options: OpenOptions): Promise<Datasets> => Datasets.open(options);
