import type { AggregationRequest, Filter, Order, Projection, QueryOptions, VirtualField } from "./request";
import type { Integer, Open, QueryObject, QueryValue } from "./values";

/** The form of an answer: `legacy` is the documented one, with buckets and matches; `tabular` is columns. */
export type ResultFormat = "legacy" | "tabular";

/** A field of a dataset or of an answer. */
export interface FieldMeta {
  /** Its name. */
  readonly name: string;
  /** Its type, in the words of the service. */
  readonly type?: string;
  /** Its unit. */
  readonly unit?: string;
  /** Free text. */
  readonly description?: string;
  /** Whether it is not shown unless asked for. */
  readonly hidden?: boolean;
}

/** A computed value of a group. */
export interface AggregationValue {
  /** The name of the aggregation; the public service puts its alias here. */
  readonly op: string;
  /** Null for no value. */
  readonly value: QueryValue;
}

/** The aggregations of the events that share the values of `group`. */
export interface Group {
  /** Identifier within the answer. */
  readonly id?: Integer;
  /** The values that its events share, by field. */
  readonly group: QueryObject;
  /** What was computed of its events. */
  readonly aggregations: readonly AggregationValue[];
}

/** The groups of one interval of time. */
export interface Interval {
  /** Start of the interval. */
  readonly startTime: string;
  /** End of the interval. */
  readonly endTime: string;
  /** The groups of its events. */
  readonly groups: readonly Group[];
}

/** Aggregations over intervals, and over the whole time. */
export interface Buckets {
  /** The intervals in order; empty for a query without any. */
  readonly series: readonly Interval[];
  /** The groups over the whole time. */
  readonly totals: readonly Group[];
}

/** An event. */
export interface Match {
  /** Identifier of the event. */
  readonly _rowId?: string;
  /** When the service took it in. */
  readonly _sysTime?: string;
  /** When it happened. */
  readonly _time: string;
  /** The fields; one whose value is null is there as null. */
  readonly data: QueryObject;
}

/** What the service has to say about an answer. */
export interface StatusMessage {
  /** Code of the message. */
  readonly code?: string;
  /** How often it applies. */
  readonly count?: Integer;
  /** The text. Untrusted: `warningsOf` makes it safe to print. */
  readonly msg?: string;
  /** Its values are not documented. */
  readonly priority?: Open<"trace" | "debug" | "info" | "warn" | "error" | "fatal">;
}

/** How an answer came about. */
export interface QueryStatus {
  /** Blocks of data that were looked at. */
  readonly blocksExamined?: Integer;
  /** The meaning of its values is not documented. */
  readonly cacheStatus?: Integer;
  /** Continues a list that was cut; absent or empty: there is no more. */
  readonly continuationToken?: string;
  /** Its unit is not documented. */
  readonly elapsedTime?: Integer;
  readonly isEstimate?: boolean;
  /** The answer does not hold all that was asked for. */
  readonly isPartial?: boolean;
  /** Start of the data that was looked at. */
  readonly minBlockTime?: string;
  /** End of the data that was looked at. */
  readonly maxBlockTime?: string;
  /** Groups of the answer. */
  readonly numGroups?: Integer;
  /** Events that were looked at. */
  readonly rowsExamined?: Integer;
  /** Events that fit. */
  readonly rowsMatched?: Integer;
  /** What the service has to say. */
  readonly messages: readonly StatusMessage[];
  /** Extended interface: continues a list of events sorted by time, towards older ones. */
  readonly minCursor?: string;
  /** Extended interface: continues a list of events sorted by time, towards newer ones. */
  readonly maxCursor?: string;
  /** Extended interface. */
  readonly blocksCached?: Integer;
  /** Extended interface. */
  readonly blocksMatched?: Integer;
}

/** What both endpoints answer in the documented form. */
export interface EventsResult {
  /** What was computed; empty for a query that does not aggregate. */
  readonly buckets: Buckets;
  /** The events; empty for a query that aggregates. */
  readonly matches: readonly Match[];
  /** How the answer came about. */
  readonly status: QueryStatus;
}

/** The answer to a structured query. */
export interface DatasetResult extends EventsResult {
  /** The fields of the answer. */
  readonly fieldsMeta: readonly FieldMeta[];
}

/** The request as the service understood it. */
export interface EffectiveRequest {
  /** The query's text. */
  readonly apl?: string;
  /** Only events from this time on. */
  readonly startTime?: string;
  /** Only events before this time. */
  readonly endTime?: string;
  /** What was computed of each group. */
  readonly aggregations?: readonly AggregationRequest[];
  /** Where the page starts. */
  readonly continuationToken?: string;
  /** Where the page starts. */
  readonly cursor?: string;
  /** Only events that fit. */
  readonly filter?: Filter;
  /** Field names. */
  readonly groupBy?: readonly string[];
  /** Whether the event at the cursor is shown again. */
  readonly includeCursor?: boolean;
  /** Most rows of a page. */
  readonly limit?: Integer;
  /** How the answer is sorted. */
  readonly order?: readonly Order[];
  /** The fields that are shown. */
  readonly project?: readonly Projection[];
  /** Further options. */
  readonly queryOptions?: QueryOptions;
  /** Bucket resolution. */
  readonly resolution?: string;
  /** The fields of the answer. */
  readonly fieldsMeta?: readonly FieldMeta[];
  /** Fields that expressions compute. */
  readonly virtualFields?: readonly VirtualField[];
}

/** What every answer to a query in the query language tells of it. */
export interface AplFacts {
  /** Extended interface. */
  readonly format?: Open<ResultFormat>;
  /** The datasets that were asked. */
  readonly datasetNames: readonly string[];
  /** The fields of each dataset. */
  readonly fieldsMetaMap: { readonly [dataset: string]: readonly FieldMeta[] };
  /** The request as the service understood it. */
  readonly request?: EffectiveRequest;
}

/** The answer to a query in the query language, in the documented form. */
export interface AplResult extends EventsResult, AplFacts {}

/** A column of a table. */
export interface TableField {
  /** Its name. */
  readonly name: string;
  /** Its type, in the words of the service. */
  readonly type?: string;
  /** How its values were computed. */
  readonly agg?: QueryObject;
}

/** Rows by columns (extended interface, "Queries"). */
export interface Table {
  /** `_totals` is the name of the one that holds the totals. */
  readonly name: string;
  /** The datasets that its rows come from. */
  readonly sources: readonly { readonly name: string }[];
  /** Its columns, in order. */
  readonly fields: readonly TableField[];
  /** How it is sorted. */
  readonly order: readonly Order[];
  /** The fields that it is grouped by. */
  readonly groups: readonly { readonly name: string }[];
  /** The time that it covers. */
  readonly range?: { readonly field: string; readonly start: string; readonly end: string };
  /** The intervals that it is cut into. */
  readonly buckets?: { readonly field: string; readonly size: Integer };
  /** One list of values for each field. */
  readonly columns: readonly (readonly QueryValue[])[];
}

/** The answer to a query in the query language, as tables. */
export interface TabularResult extends AplFacts {
  /** The rows of the answer, and its totals. */
  readonly tables: readonly Table[];
  /** How the answer came about. */
  readonly status: QueryStatus;
}

/** Any answer to a query. */
export type QueryResult = DatasetResult | AplResult | TabularResult;
