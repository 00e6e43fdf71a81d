import type { AggregationRequest, Filter, Order, Projection, QueryOptions, VirtualField } from "./request";
import type { Integer, Open, QueryObject, QueryValue } from "./values";

/** The form of a response: `legacy`, the documented one, has buckets and matches; `tabular` has columns. */
export type ResultFormat = "legacy" | "tabular";

/** A field of a dataset or of a response. */
export interface FieldMeta {
  /** Its name. */
  readonly name: string;
  /** The service's name for its type. */
  readonly type?: string;
  /** Its unit. */
  readonly unit?: string;
  /** Free text. */
  readonly description?: string;
  /** Whether it is hidden by default. */
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
  /** Identifier within the response. */
  readonly id?: Integer;
  /** The values that its events share, by field. */
  readonly group: QueryObject;
  /** The values computed from its events. */
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
  /** When the service received it. */
  readonly _sysTime?: string;
  /** When it happened. */
  readonly _time: string;
  /** The fields; one whose value is null is there as null. */
  readonly data: QueryObject;
}

/** A message of the service about a response. */
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

/** Facts about the execution of a query. */
export interface QueryStatus {
  /** Number of blocks examined. */
  readonly blocksExamined?: Integer;
  /** The meaning of its values is not documented. */
  readonly cacheStatus?: Integer;
  /** Continues a truncated list; absent or empty: the list is complete. */
  readonly continuationToken?: string;
  /** Its unit is not documented. */
  readonly elapsedTime?: Integer;
  readonly isEstimate?: boolean;
  /** Whether the response is incomplete. */
  readonly isPartial?: boolean;
  /** Start of the examined data. */
  readonly minBlockTime?: string;
  /** End of the examined data. */
  readonly maxBlockTime?: string;
  /** Number of groups in the response. */
  readonly numGroups?: Integer;
  /** Number of events examined. */
  readonly rowsExamined?: Integer;
  /** Number of matching events. */
  readonly rowsMatched?: Integer;
  /** Messages of the service. */
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

/** The documented form of a response, which both endpoints have. */
export interface EventsResult {
  /** The aggregations; empty for a query without any. */
  readonly buckets: Buckets;
  /** The events; empty for a query that aggregates. */
  readonly matches: readonly Match[];
  /** Facts about the execution of the query. */
  readonly status: QueryStatus;
}

/** The response to a structured query. */
export interface DatasetResult extends EventsResult {
  /** The fields of the response. */
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
  /** The values computed for each group. */
  readonly aggregations?: readonly AggregationRequest[];
  /** Where the page starts. */
  readonly continuationToken?: string;
  /** Where the page starts. */
  readonly cursor?: string;
  /** Only matching events. */
  readonly filter?: Filter;
  /** Field names. */
  readonly groupBy?: readonly string[];
  /** Whether the event at the cursor is returned again. */
  readonly includeCursor?: boolean;
  /** Largest number of rows of a page. */
  readonly limit?: Integer;
  /** How the answer is sorted. */
  readonly order?: readonly Order[];
  /** The selected fields. */
  readonly project?: readonly Projection[];
  /** Further options. */
  readonly queryOptions?: QueryOptions;
  /** Bucket resolution. */
  readonly resolution?: string;
  /** The fields of the response. */
  readonly fieldsMeta?: readonly FieldMeta[];
  /** Fields computed by expressions. */
  readonly virtualFields?: readonly VirtualField[];
}

/** Facts in every response to a query in the query language. */
export interface AplFacts {
  /** Extended interface. */
  readonly format?: Open<ResultFormat>;
  /** The datasets of the query. */
  readonly datasetNames: readonly string[];
  /** The fields of each dataset. */
  readonly fieldsMetaMap: { readonly [dataset: string]: readonly FieldMeta[] };
  /** The request as the service understood it. */
  readonly request?: EffectiveRequest;
}

/** The response to a query in the query language, in the documented form. */
export interface AplResult extends EventsResult, AplFacts {}

/** A column of a table. */
export interface TableField {
  /** Its name. */
  readonly name: string;
  /** The service's name for its type. */
  readonly type?: string;
  /** How its values are computed. */
  readonly agg?: QueryObject;
}

/** Rows by columns (extended interface, "Queries"). */
export interface Table {
  /** The table named `_totals` holds the totals. */
  readonly name: string;
  /** The datasets of its rows. */
  readonly sources: readonly { readonly name: string }[];
  /** Its columns, in order. */
  readonly fields: readonly TableField[];
  /** Its sort keys. */
  readonly order: readonly Order[];
  /** The fields by which it is grouped. */
  readonly groups: readonly { readonly name: string }[];
  /** The time that it covers. */
  readonly range?: { readonly field: string; readonly start: string; readonly end: string };
  /** Its intervals of time. */
  readonly buckets?: { readonly field: string; readonly size: Integer };
  /** One list of values for each field. */
  readonly columns: readonly (readonly QueryValue[])[];
}

/** The response to a query in the query language, as tables. */
export interface TabularResult extends AplFacts {
  /** The rows of the response, and its totals. */
  readonly tables: readonly Table[];
  /** Facts about the execution of the query. */
  readonly status: QueryStatus;
}

/** The response to any query. */
export type QueryResult = DatasetResult | AplResult | TabularResult;
