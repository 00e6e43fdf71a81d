import type { AggregationRequest, Filter, Order, Projection, QueryOptions, VirtualField } from "./request";
import type { Integer, Open, QueryObject, QueryValue } from "./values";

/** The form of an answer: `legacy` is the documented one, with buckets and matches; `tabular` is columns. */
export type ResultFormat = "legacy" | "tabular";

/** A field of a dataset or of an answer. */
export interface FieldMeta {
  readonly name: string;
  readonly type?: string;
  readonly unit?: string;
  readonly description?: string;
  readonly hidden?: boolean;
}

/** A computed value of a group. */
export interface AggregationValue {
  /** The name of the aggregation; the public service puts its alias here. */
  readonly op: string;
  readonly value: QueryValue;
}

/** The aggregations of the events that share the values of `group`. */
export interface Group {
  readonly id?: Integer;
  readonly group: QueryObject;
  readonly aggregations: readonly AggregationValue[];
}

/** The groups of one interval of time. */
export interface Interval {
  readonly startTime: string;
  readonly endTime: string;
  readonly groups: readonly Group[];
}

/** Aggregations over intervals, and over the whole time. */
export interface Buckets {
  readonly series: readonly Interval[];
  readonly totals: readonly Group[];
}

/** An event. */
export interface Match {
  readonly _rowId?: string;
  /** When the service took it in. */
  readonly _sysTime?: string;
  readonly _time: string;
  /** The fields; one whose value is null is there as null. */
  readonly data: QueryObject;
}

/** What the service has to say about an answer. */
export interface StatusMessage {
  readonly code?: string;
  readonly count?: Integer;
  readonly msg?: string;
  /** Its values are not documented. */
  readonly priority?: Open<"trace" | "debug" | "info" | "warn" | "error" | "fatal">;
}

/** How an answer came about. */
export interface QueryStatus {
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
  readonly minBlockTime?: string;
  readonly maxBlockTime?: string;
  readonly numGroups?: Integer;
  readonly rowsExamined?: Integer;
  readonly rowsMatched?: Integer;
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
  readonly buckets: Buckets;
  readonly matches: readonly Match[];
  readonly status: QueryStatus;
}

/** The answer to a structured query. */
export interface DatasetResult extends EventsResult {
  readonly fieldsMeta: readonly FieldMeta[];
}

/** The request as the service understood it. */
export interface EffectiveRequest {
  readonly apl?: string;
  readonly startTime?: string;
  readonly endTime?: string;
  readonly aggregations?: readonly AggregationRequest[];
  readonly continuationToken?: string;
  readonly cursor?: string;
  readonly filter?: Filter;
  readonly groupBy?: readonly string[];
  readonly includeCursor?: boolean;
  readonly limit?: Integer;
  readonly order?: readonly Order[];
  readonly project?: readonly Projection[];
  readonly queryOptions?: QueryOptions;
  readonly resolution?: string;
  readonly fieldsMeta?: readonly FieldMeta[];
  readonly virtualFields?: readonly VirtualField[];
}

/** What every answer to a query in the query language tells of it. */
export interface AplFacts {
  /** Extended interface. */
  readonly format?: Open<ResultFormat>;
  readonly datasetNames: readonly string[];
  /** The fields of each dataset. */
  readonly fieldsMetaMap: { readonly [dataset: string]: readonly FieldMeta[] };
  readonly request?: EffectiveRequest;
}

/** The answer to a query in the query language, in the documented form. */
export interface AplResult extends EventsResult, AplFacts {}

/** A column of a table. */
export interface TableField {
  readonly name: string;
  readonly type?: string;
  /** How its values were computed. */
  readonly agg?: QueryObject;
}

/** Rows by columns (extended interface, "Queries"). */
export interface Table {
  /** `_totals` is the name of the one that holds the totals. */
  readonly name: string;
  readonly sources: readonly { readonly name: string }[];
  readonly fields: readonly TableField[];
  readonly order: readonly Order[];
  readonly groups: readonly { readonly name: string }[];
  readonly range?: { readonly field: string; readonly start: string; readonly end: string };
  readonly buckets?: { readonly field: string; readonly size: Integer };
  /** One list of values for each field. */
  readonly columns: readonly (readonly QueryValue[])[];
}

/** The answer to a query in the query language, as tables. */
export interface TabularResult extends AplFacts {
  readonly tables: readonly Table[];
  readonly status: QueryStatus;
}

/** Any answer to a query. */
export type QueryResult = DatasetResult | AplResult | TabularResult;
