import type { JsonType, SpecOf } from "../../values/jsonType";
import { makePrintable } from "../../values/printable";
import type { Profile } from "../profiles";
import type { Open, QueryObject, QueryValue } from "./values";

/**
 * A point in time of a query. A string is sent unchanged: its format is not documented, but Axiom
 * accepts an RFC 3339 timestamp. A `Date` is sent as an RFC 3339 timestamp.
 */
export type QueryTime = string | Date;

/** A field of a request. */
export interface RequestField<T> {
  /** The smallest profile whose requests may contain it. */
  readonly profile: Profile;
  /** Absent, because only the compiler reads it. */
  readonly response?: JsonType<T>;
}

const documented = <T>(): RequestField<T> => ({ profile: "documented" });
const extended = <T>(): RequestField<T> => ({ profile: "extended" });

/** A query in APL (documented interface, 2.3). */
export interface AplRequest extends SpecOf<typeof aplRequestFields> {}
export const aplRequestFields = {
  /** Text of the query, which names its dataset. */
  apl: { ...documented<string>(), required: true },
  /** Start of the time range. */
  startTime: documented<QueryTime>(),
  /** End of the time range. */
  endTime: documented<QueryTime>(),
  /** Cursor that a page starts at, taken from the previous page. Needs the `extended` profile. */
  cursor: extended<string>(),
  /** Whether the page includes the event at the cursor. Needs the `extended` profile. */
  includeCursor: extended<boolean>(),
  /** Values that the query uses by name. Needs the `extended` profile. */
  variables: extended<QueryObject>(),
  /** Further options of the query. Needs the `extended` profile. */
  queryOptions: extended<QueryObject>(),
  /** Largest number of rows of a query without a limit; at most 1,000,000. Needs the `extended` profile. */
  defaultLimit: extended<number>(),
  /** Sort keys of a query without an order. Needs the `extended` profile. */
  defaultOrder: extended<readonly Order[]>(),
  /** Whether to add its cursor to each event as a field. Needs the `extended` profile. */
  includeCursorField: extended<boolean>(),
  /** Libraries that the query uses. Needs the `extended` profile. */
  libraries: extended<readonly string[]>(),
  /** Largest number of bins of `bin_auto`, from 1 to 10,000. Needs the `extended` profile. */
  maxBinAutoGroups: extended<number>(),
} as const;

/** The operation of an aggregation. Only `count` is documented; Axiom has the others. */
export type AggregationOp = Open<
  | "count"
  | "distinct"
  | "sum"
  | "avg"
  | "min"
  | "max"
  | "topk"
  | "percentiles"
  | "histogram"
  | "stdev"
  | "variance"
  | "argmin"
  | "argmax"
  | "makeset"
  | "makelist"
  | "rate"
>;

/** How a filter compares, or combines its children. Only `and` is documented; Axiom has the others. */
export type FilterOp = Open<
  | "and"
  | "or"
  | "not"
  | "=="
  | "!="
  | ">"
  | ">="
  | "<"
  | "<="
  | "exists"
  | "not-exists"
  | "starts-with"
  | "ends-with"
  | "contains"
  | "regexp"
  | "not-starts-with"
  | "not-ends-with"
  | "not-contains"
  | "not-regexp"
>;

/** A value to compute for each group. */
export interface AggregationRequest {
  /** Name of the value in the result. */
  readonly alias?: string | undefined;
  /** Parameter of the operation, such as the number of values for `topk`. */
  readonly argument?: QueryValue | undefined;
  /** Field to aggregate; `*` for `count`. */
  readonly field?: string | undefined;
  /** Operation, such as `count`. */
  readonly op: AggregationOp;
}

/** A condition on events: a comparison of a field with a value, or a combination of several conditions. */
export interface Filter {
  /** Whether the comparison distinguishes upper and lower case. Its default is not documented. */
  readonly caseSensitive?: boolean | undefined;
  /** Conditions that `and`, `or` or `not` combines. */
  readonly children?: readonly Filter[] | undefined;
  /** Field to compare. */
  readonly field?: string | undefined;
  /** Comparison, such as `==`, or combination of the children, such as `and`. */
  readonly op: FilterOp;
  /** Value to compare the field with. */
  readonly value?: QueryValue | undefined;
}

/** A sort key. */
export interface Order {
  /** Field to sort by. */
  readonly field: string;
  /** Whether to sort in descending order. */
  readonly desc?: boolean | undefined;
}

/** A field to return. */
export interface Projection {
  /** Field to return. */
  readonly field: string;
  /** Name of the field in the result. */
  readonly alias?: string | undefined;
}

/** A field that an expression computes. */
export interface VirtualField {
  /** The name of the field. */
  readonly alias: string;
  /** The expression, in APL. */
  readonly expr: string;
}

/** Further options of a structured query. */
export interface QueryOptions {
  /** Display of null. Its allowed values are not documented. */
  readonly displayNull?: string | undefined;
}

/**
 * A structured query over one dataset, which the documented interface calls legacy (2.3). No field is documented as required;
 * Axiom requires `startTime`, `endTime` and `resolution`.
 */
export interface DatasetRequest extends SpecOf<typeof datasetRequestFields> {}
export const datasetRequestFields = {
  /** Values to compute for each group. */
  aggregations: documented<readonly AggregationRequest[]>(),
  /** Continuation token of the previous page, from its `status`. */
  continuationToken: documented<string>(),
  /** Cursor that a page starts at, taken from the previous page. */
  cursor: documented<string>(),
  /** Start of the time range. */
  startTime: documented<QueryTime>(),
  /** End of the time range. */
  endTime: documented<QueryTime>(),
  /** Condition that events must meet. */
  filter: documented<Filter>(),
  /** Names of the fields to group by. */
  groupBy: documented<readonly string[]>(),
  /** Whether the page includes the event at the cursor. */
  includeCursor: documented<boolean>(),
  /** Largest number of rows. Its default and its maximum are not documented. */
  limit: documented<number>(),
  /** Sort keys, the most significant first. */
  order: documented<readonly Order[]>(),
  /** Fields to return. */
  project: documented<readonly Projection[]>(),
  /** Further options. */
  queryOptions: documented<QueryOptions>(),
  /** Bucket resolution. Its allowed values are not documented; Axiom accepts `auto`. */
  resolution: documented<Open<"auto">>(),
  /** Fields that expressions compute. Needs the `extended` profile. */
  virtualFields: extended<readonly VirtualField[]>(),
} as const;

/**
 * Prepares the body of a request.
 * @throws RangeError for an invalid Date
 */
export function makeBody(request: AplRequest | DatasetRequest): object {
  const { startTime, endTime, ...rest } = request;
  return { ...rest, startTime: writeTime(startTime, "startTime"), endTime: writeTime(endTime, "endTime") };
}

function writeTime(time: QueryTime | undefined, field: string): string | undefined {
  if (time === undefined || typeof time === "string") return time;
  if (Number.isNaN(time.getTime())) throw makePrintable(new RangeError(`${field}: an invalid Date`));
  return time.toISOString();
}
