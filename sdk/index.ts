import "./supportedNode";

export type { Json, JsonObject } from "../values/json";
export * from "./client";
export type { ServiceClock } from "./clock";
export { ApiError, isApiError, isStatus, type Outcome, orGone } from "./errors";
export { hasOperation, type OperationName } from "./operations";
export { offers, type Profile, profiles } from "./profiles";
export type {
  AggregationOp,
  AggregationRequest,
  AplRequest,
  DatasetRequest,
  Filter,
  FilterOp,
  Order,
  Projection,
  QueryOptions,
  QueryTime,
  VirtualField,
} from "./queries/request";
export type {
  AggregationValue,
  AplResult,
  Buckets,
  DatasetResult,
  EventsResult,
  FieldMeta,
  Group,
  Interval,
  Match,
  QueryResult,
  QueryStatus,
  ResultFormat,
  StatusMessage,
  TabularResult,
} from "./queries/result";
export { type QueryResponse, type Row, rows, scalar, totals } from "./queries/rows";
export type { Table, TableField } from "./queries/table";
export type { Integer, QueryObject, QueryValue } from "./queries/values";
export { warningsOf } from "./queries/warnings";
export { annotationFields } from "./resources/annotationFields";
export { datasetChanges, datasetFields } from "./resources/datasetFields";
export { orgCapabilityKeys, tokenFields } from "./resources/tokenFields";
export type { Listing, OddEntry, ResponseFields, ResponseObject, WireField, WireFields } from "./resources/wire";
export {
  environmentNames,
  fromEnvironment,
  howToExtend,
  requireSettings,
  resolveSettings,
  type SettingKey,
  type SettingProblem,
  type Settings,
  type SettingsResult,
  type SettingsSource,
  settingKeys,
} from "./settings";
export { selectTokens, type TokenFilter } from "./tokenFilter";
export type { CallOptions } from "./transport";
export type { Attempted, TransportOptions } from "./transportOptions";
export { version } from "./version";
