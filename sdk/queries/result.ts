import type { Order } from "./request";
import type { Integer, Open, QueryObject, QueryValue } from "./values";

/** Format of a result: `legacy` is the documented one, with buckets and matches; `tabular` has columns. */
export type ResultFormat = "legacy" | "tabular";

/** A field of a dataset or of a response. */
export interface FieldMeta {
  /** Name of the field. */
  readonly name: string;
  /** Type of the field, as the service names it. */
  readonly type?: string;
  /** Unit of the field. */
  readonly unit?: string;
  /** Description of the field. */
  readonly description?: string;
  /** Whether the field is hidden by default. */
  readonly hidden?: boolean;
}

/** A computed value of a group. */
export interface AggregationValue {
  /** Name of the aggregation; Axiom returns its alias. */
  readonly op: string;
  /** Value; null if there is none. */
  readonly value: QueryValue;
}

/** The aggregations of the events that share the values of `group`. */
export interface Group {
  /** Identifier within the result. */
  readonly id?: Integer;
  /** Values that the events of the group share, by field. */
  readonly group: QueryObject;
  /** Values that were computed for the group. */
  readonly aggregations: readonly AggregationValue[];
}

/** The groups of one interval of time. */
export interface Interval {
  /** Start of the interval. */
  readonly startTime: string;
  /** End of the interval. */
  readonly endTime: string;
  /** Groups of the events in the interval. */
  readonly groups: readonly Group[];
}

/** Aggregations over intervals, and over the whole time. */
export interface Buckets {
  /** Intervals in order. Empty for a query without intervals. */
  readonly series: readonly Interval[];
  /** Groups over the whole time range. */
  readonly totals: readonly Group[];
}

/** An event. */
export interface Match {
  /** Identifier of the event. */
  readonly _rowId?: string;
  /** When the service received it. */
  readonly _sysTime?: string;
  /** When it happened. */
  readonly _time: string;
  /** The fields; one whose value is null is there as null. */
  readonly data: QueryObject;
}

/** A message of the service about a result. */
export interface StatusMessage {
  /** Code of the message. */
  readonly code?: string;
  /** Number of occurrences. */
  readonly count?: Integer;
  /**
   * Text of the message, which is not trusted.
   * @remarks `warningsOf` makes it safe to print.
   */
  readonly msg?: string;
  /** Priority of the message. Its values are not documented. */
  readonly priority?: Open<"trace" | "debug" | "info" | "warn" | "error" | "fatal">;
}

/** How a result was computed. */
export interface QueryStatus {
  /** Number of examined blocks of data. */
  readonly blocksExamined?: Integer;
  /** Cache status. The meaning of its values is not documented. */
  readonly cacheStatus?: Integer;
  /** Token that continues a truncated list. Empty if there are no further rows. */
  readonly continuationToken?: string;
  /** Duration of the query. Its unit is not documented. */
  readonly elapsedTime?: Integer;
  /** Whether the result is an estimate. */
  readonly isEstimate?: boolean;
  /** Whether the result is incomplete. */
  readonly isPartial?: boolean;
  /** Start of the examined data. */
  readonly minBlockTime?: string;
  /** End of the examined data. */
  readonly maxBlockTime?: string;
  /** Number of groups. */
  readonly numGroups?: Integer;
  /** Number of examined events. */
  readonly rowsExamined?: Integer;
  /** Number of matching events. */
  readonly rowsMatched?: Integer;
  /** Messages of the service about the result. */
  readonly messages: readonly StatusMessage[];
  /** Cursor that continues a list sorted by time towards older events. Only in the `extended` profile. */
  readonly minCursor?: string;
  /** Cursor that continues a list sorted by time towards newer events. Only in the `extended` profile. */
  readonly maxCursor?: string;
  /** Number of cached blocks. Only in the `extended` profile. */
  readonly blocksCached?: Integer;
  /** Number of matching blocks. Only in the `extended` profile. */
  readonly blocksMatched?: Integer;
}

/** The result of either kind of query in the documented format. */
export interface EventsResult {
  /** Aggregations. Empty for a query that does not aggregate. */
  readonly buckets: Buckets;
  /** Events. Empty for a query that aggregates. */
  readonly matches: readonly Match[];
  /** How the result was computed. */
  readonly status: QueryStatus;
}

/** The response to a structured query. */
export interface DatasetResult extends EventsResult {
  /** Fields of the result. */
  readonly fieldsMeta: readonly FieldMeta[];
}

/** Facts about a query in the query language, in every format of its result. */
export interface AplFacts {
  /** Format of the result. Only in the `extended` profile. */
  readonly format?: Open<ResultFormat>;
  /** Names of the queried datasets. */
  readonly datasetNames: readonly string[];
  /** Fields by dataset. */
  readonly fieldsMetaMap: { readonly [dataset: string]: readonly FieldMeta[] };
  /** The request as the service understood it, unchanged. */
  readonly request?: QueryObject;
}

/** The response to a query in the query language, in the documented form. */
export interface AplResult extends EventsResult, AplFacts {}

/** A column of a table. */
export interface TableField {
  /** Name of the column. */
  readonly name: string;
  /** Type of the column, as the service names it. */
  readonly type?: string;
  /** How the values of the column were computed. */
  readonly agg?: QueryObject;
}

/** A dataset or a field, by name. */
export interface TableName {
  /** Name of the dataset or field. */
  readonly name: string;
}

/** Time range of a table. */
export interface TableRange {
  /** Field that holds the time. */
  readonly field: string;
  /** Start of the range. */
  readonly start: string;
  /** End of the range. */
  readonly end: string;
}

/** Intervals of a table. */
export interface TableBuckets {
  /** Field that the intervals divide. */
  readonly field: string;
  /** Length of an interval; its unit is not documented. */
  readonly size: Integer;
}

/** Rows by columns (extended interface, "Queries"). */
export interface Table {
  /** Name of the table; `_totals` is the table with the totals. */
  readonly name: string;
  /** Datasets that the rows come from. */
  readonly sources: readonly TableName[];
  /** Columns in order. */
  readonly fields: readonly TableField[];
  /** Sort keys, the most significant first. */
  readonly order: readonly Order[];
  /** Fields that the rows are grouped by. */
  readonly groups: readonly TableName[];
  /** Time range of the rows. */
  readonly range?: TableRange;
  /** Intervals of the rows. */
  readonly buckets?: TableBuckets;
  /** A list of values for each column. */
  readonly columns: readonly (readonly QueryValue[])[];
}

/** The response to a query in the query language, as tables. */
export interface TabularResult extends AplFacts {
  /** Rows of the result, and its totals. */
  readonly tables: readonly Table[];
  /** How the result was computed. */
  readonly status: QueryStatus;
}

/** The response to any query. */
export type QueryResult = DatasetResult | AplResult | TabularResult;
