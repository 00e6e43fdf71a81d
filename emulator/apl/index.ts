import { Datasets } from "./datasets";

export type { Datasets, IngestResult } from "./datasets";
export { isQueryError, type QueryError } from "./errors";
export { parseEvents } from "./exactJson";
export { csvEvents } from "./load/csvEvents";
export { timeReader } from "./load/goTime";
export type { AplRequest, LegacyAggregation, LegacyFilter, LegacyRequest } from "./request";
export type { AplResult, LegacyResult } from "./shape/response";
export type { DatasetSize } from "./stored";

/** DuckDB is loaded only here. */
export const openDatasets = Datasets.open;
