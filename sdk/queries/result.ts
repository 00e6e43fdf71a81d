import type { Reader } from "../../values/response";
import { type ResponseSchema, readBySchema } from "../../values/responseSchema";
import {
  anyObject,
  flag,
  integer,
  list,
  mapOrEmpty,
  type ObjectOf,
  object,
  objectOrEmpty,
  optional,
  text,
  valueOrNull,
} from "./members";
import { tables } from "./table";
import type { Open } from "./values";

/** Format of a result: `legacy` is the documented one, with buckets and matches; `tabular` has columns. */
export type ResultFormat = "legacy" | "tabular";

/** A field of a dataset or of a response. */
export interface FieldMeta extends ObjectOf<typeof fieldMeta> {}
const fieldMeta = {
  /** Name of the field. */
  name: text,
  /** Type of the field, as the service names it. */
  type: optional(text),
  /** Unit of the field. */
  unit: optional(text),
  /** Description of the field. */
  description: optional(text),
  /** Whether the field is hidden by default. */
  hidden: optional(flag),
};

/** A computed value of a group. */
export interface AggregationValue extends ObjectOf<typeof aggregationValue> {}
const aggregationValue = {
  /** Name of the aggregation; Axiom returns its alias. */
  op: text,
  /** Value; null if there is none. */
  value: valueOrNull,
};

/** The aggregations of the events that share the values of `group`. */
export interface Group extends ObjectOf<typeof group> {}
const group = {
  /** Identifier within the result. */
  id: optional(integer),
  /** Values that the events of the group share, by field. */
  group: objectOrEmpty,
  /** Values that were computed for the group. */
  aggregations: list<AggregationValue>(object(aggregationValue)),
};

/** The groups of one interval of time. */
export interface Interval extends ObjectOf<typeof interval> {}
const interval = {
  /** Start of the interval. */
  startTime: text,
  /** End of the interval. */
  endTime: text,
  /** Groups of the events in the interval. */
  groups: list<Group>(object(group)),
};

/** Aggregations over intervals, and over the whole time range. */
export interface Buckets extends ObjectOf<typeof buckets> {}
const buckets = {
  /** Intervals in order. Empty for a query without intervals. */
  series: list<Interval>(object(interval)),
  /** Groups over the whole time range. */
  totals: list<Group>(object(group)),
};

/** An event. */
export interface Match extends ObjectOf<typeof match> {}
const match = {
  /** Identifier of the event. */
  _rowId: optional(text),
  /** When the service received it. */
  _sysTime: optional(text),
  /** When it happened. */
  _time: text,
  /** The fields; a field whose value is null stays, as null. */
  data: anyObject,
};

/** The known priorities of a message. */
export type MessagePriority = "trace" | "debug" | "info" | "warn" | "error" | "fatal";

/** A message from the service about a result. */
export interface StatusMessage extends ObjectOf<typeof statusMessage> {}
const statusMessage = {
  /** Code of the message. */
  code: optional(text),
  /** Number of occurrences. */
  count: optional(integer),
  /**
   * Text of the message, which is not trusted.
   * @remarks `warningsOf` makes it safe to print.
   */
  msg: optional(text),
  /** Priority of the message. Its values are not documented. */
  priority: optional<Open<MessagePriority>>(text),
};

/** How a result was computed. */
export interface QueryStatus extends ObjectOf<typeof queryStatus> {}
const queryStatus = {
  /** Number of examined blocks of data. */
  blocksExamined: optional(integer),
  /** Cache status. The meaning of its values is not documented. */
  cacheStatus: optional(integer),
  /** Token that continues a truncated list. Empty if there are no further rows. */
  continuationToken: optional(text),
  /** Duration of the query. Its unit is not documented. */
  elapsedTime: optional(integer),
  /** Whether the result is an estimate. */
  isEstimate: optional(flag),
  /** Whether the result is incomplete. */
  isPartial: optional(flag),
  /** Start of the examined data. */
  minBlockTime: optional(text),
  /** End of the examined data. */
  maxBlockTime: optional(text),
  /** Number of groups. */
  numGroups: optional(integer),
  /** Number of examined events. */
  rowsExamined: optional(integer),
  /** Number of matching events. */
  rowsMatched: optional(integer),
  /** Messages of the service about the result. */
  messages: list<StatusMessage>(object(statusMessage)),
  /** Cursor that continues a list sorted by time towards older events. Not in the documented interface. */
  minCursor: optional(text),
  /** Cursor that continues a list sorted by time towards newer events. Not in the documented interface. */
  maxCursor: optional(text),
  /** Number of cached blocks. Not in the documented interface. */
  blocksCached: optional(integer),
  /** Number of matching blocks. Not in the documented interface. */
  blocksMatched: optional(integer),
};

/** The result of either kind of query in the documented format. */
export interface EventsResult extends ObjectOf<typeof eventsResult> {}
const eventsResult = {
  /** Aggregations. Empty for a query that does not aggregate. */
  buckets: object(buckets) as ResponseSchema<Buckets>,
  /** Events. Empty for a query that aggregates. */
  matches: list<Match>(object(match)),
  /** How the result was computed. */
  status: object(queryStatus) as ResponseSchema<QueryStatus>,
};

/** The response to a structured query. */
export interface DatasetResult extends EventsResult, ObjectOf<typeof datasetFacts> {}
const datasetFacts = {
  /** Fields of the result. */
  fieldsMeta: list<FieldMeta>(object(fieldMeta)),
};

/** Facts about an APL query, in every format of its result. */
export interface AplFacts extends ObjectOf<typeof aplFacts> {}
const aplFacts = {
  /** Format of the result. Not in the documented interface. */
  format: optional<Open<ResultFormat>>(text),
  /** Names of the queried datasets. */
  datasetNames: list(text),
  /** Fields by dataset. */
  fieldsMetaMap: mapOrEmpty(list<FieldMeta>(object(fieldMeta))),
  /** The request as the service understood it, unchanged. */
  request: optional(anyObject),
};

/** The response to an APL query, in the documented form. */
export interface AplResult extends EventsResult, AplFacts {}

/** The response to an APL query, as tables. */
export interface TabularResult extends ObjectOf<typeof tabularResult>, AplFacts {}
const tabularResult = {
  /** Rows of the result, and its totals. */
  tables,
  /** How the result was computed. */
  status: eventsResult.status,
};

/** The response to any query. */
export type QueryResult = DatasetResult | AplResult | TabularResult;

/** Reads the response to a structured query. */
export const readDatasetResult: Reader<DatasetResult> = readBySchema(object({ ...eventsResult, ...datasetFacts }));

/** Reads the response to an APL query, in the documented form. */
export const readAplResult: Reader<AplResult> = readBySchema(object({ ...eventsResult, ...aplFacts }));

/** Reads the response to an APL query, as tables. */
export const readTabularResult: Reader<TabularResult> = readBySchema(object({ ...tabularResult, ...aplFacts }));
