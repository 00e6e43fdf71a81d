import { printable } from "../../values/printable";
import type { Profile } from "../operations";
import type { Open, QueryObject, QueryValue } from "./values";

/**
 * A point in time of a query. A string is sent unchanged: its format is not documented, but the public service
 * accepts an RFC 3339 instant. A `Date` is sent as an RFC 3339 instant.
 */
export type QueryTime = string | Date;

/** A query in the query language (documented interface, 2.3). */
export interface AplRequest {
  /** The query's text; it names the dataset itself. */
  readonly apl: string;
  /** Only events from this time on. */
  readonly startTime?: QueryTime | undefined;
  /** Only events before this time. */
  readonly endTime?: QueryTime | undefined;
  /** Where a page starts: a cursor of the page before. Extended profile only. */
  readonly cursor?: string | undefined;
  /** Whether to return the event at the cursor again. Extended profile only. */
  readonly includeCursor?: boolean | undefined;
  /** Values that the query uses by name. Extended profile only. */
  readonly variables?: QueryObject | undefined;
  /** Extended profile only. */
  readonly queryOptions?: QueryObject | undefined;
}

/** The operation of an aggregation. Only `count` is documented; the public service has the others. */
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

/** How a filter compares, or joins its children. Only `and` is documented; the public service has the others. */
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
  /** The name of the value in the response. */
  readonly alias?: string | undefined;
  /** The operation's argument besides the field, such as the k of `topk`. */
  readonly argument?: QueryValue | undefined;
  /** `*` for `count`. */
  readonly field?: string | undefined;
  /** The operation. */
  readonly op: AggregationOp;
}

/** A condition on events: a comparison of a field with a value, or several conditions joined. */
export interface Filter {
  /** Whether upper and lower case differ. Its default is not documented. */
  readonly caseSensitive?: boolean | undefined;
  /** The conditions that `and`, `or` and `not` join. */
  readonly children?: readonly Filter[] | undefined;
  /** The field to compare. */
  readonly field?: string | undefined;
  /** How it compares, or joins its children. */
  readonly op: FilterOp;
  /** The value to compare the field with. */
  readonly value?: QueryValue | undefined;
}

/** A sort key. */
export interface Order {
  /** The field to sort by. */
  readonly field: string;
  /** Whether the largest comes first. */
  readonly desc?: boolean | undefined;
}

/** A field to show. */
export interface Projection {
  /** The field to show. */
  readonly field: string;
  /** The name that it is shown under. */
  readonly alias?: string | undefined;
}

/** A field that an expression computes. */
export interface VirtualField {
  /** The name of the field. */
  readonly alias: string;
  /** The expression, in the query language. */
  readonly expr: string;
}

export interface QueryOptions {
  /** Its allowed values are not documented. */
  readonly displayNull?: string | undefined;
}

/**
 * A structured query over one dataset (documented interface, 2.3), which calls it legacy. No field is documented as
 * required; the public service requires `startTime`, `endTime` and `resolution`.
 */
export interface DatasetRequest {
  /** The values to compute for each group. */
  readonly aggregations?: readonly AggregationRequest[] | undefined;
  /** `status.continuationToken` of the page before. */
  readonly continuationToken?: string | undefined;
  /** Where a page starts: a cursor of the page before. */
  readonly cursor?: string | undefined;
  /** Only events from this time on. */
  readonly startTime?: QueryTime | undefined;
  /** Only events before this time. */
  readonly endTime?: QueryTime | undefined;
  /** Only matching events. */
  readonly filter?: Filter | undefined;
  /** Field names. */
  readonly groupBy?: readonly string[] | undefined;
  /** Whether to return the event at the cursor again. */
  readonly includeCursor?: boolean | undefined;
  /** Its default and its maximum are not documented. */
  readonly limit?: number | undefined;
  /** The sort keys, the most significant first. */
  readonly order?: readonly Order[] | undefined;
  /** The fields to show. */
  readonly project?: readonly Projection[] | undefined;
  /** Further options. */
  readonly queryOptions?: QueryOptions | undefined;
  /** Bucket resolution. Its allowed values are not documented; the public service takes `auto`. */
  readonly resolution?: Open<"auto"> | undefined;
  /** Extended profile only. */
  readonly virtualFields?: readonly VirtualField[] | undefined;
}

/** Exactly one entry for each field of a request: the smallest profile whose requests may hold it. */
type RequestFields<Request> = { readonly [Field in keyof Request]-?: { readonly profile: Profile } };

const documented = { profile: "documented" } as const;
const extended = { profile: "extended" } as const;

/** Every field of a query in the query language. */
export const aplRequestFields = {
  apl: documented,
  startTime: documented,
  endTime: documented,
  cursor: extended,
  includeCursor: extended,
  variables: extended,
  queryOptions: extended,
} as const satisfies RequestFields<AplRequest>;

/** Every field of a structured query. */
export const datasetRequestFields = {
  aggregations: documented,
  continuationToken: documented,
  cursor: documented,
  startTime: documented,
  endTime: documented,
  filter: documented,
  groupBy: documented,
  includeCursor: documented,
  limit: documented,
  order: documented,
  project: documented,
  queryOptions: documented,
  resolution: documented,
  virtualFields: extended,
} as const satisfies RequestFields<DatasetRequest>;

/**
 * Makes the body of a request.
 * @throws RangeError for an invalid Date
 */
export function makeBody(request: AplRequest | DatasetRequest): object {
  const { startTime, endTime, ...rest } = request;
  return { ...rest, startTime: writeTime(startTime, "startTime"), endTime: writeTime(endTime, "endTime") };
}

function writeTime(time: QueryTime | undefined, field: string): string | undefined {
  if (time === undefined || typeof time === "string") return time;
  if (Number.isNaN(time.getTime())) throw printable(new RangeError(`${field}: an invalid Date`));
  return time.toISOString();
}
