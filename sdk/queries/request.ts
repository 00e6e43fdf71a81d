import { printable } from "../../values/printable";
import type { Profile } from "../operations";
import type { Open, QueryObject, QueryValue } from "./values";

/**
 * A point in time of a query. A string is sent as it is: its format is not documented, an RFC 3339 instant is what the
 * public service takes in any case. A `Date` is sent as such an instant.
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
  /** Whether the event at the cursor is shown again. Extended profile only. */
  readonly includeCursor?: boolean | undefined;
  /** Values that the query uses by name. Extended profile only. */
  readonly variables?: QueryObject | undefined;
  /** Extended profile only. */
  readonly queryOptions?: QueryObject | undefined;
}

/** What an aggregation computes. `count` is the documented one; the others are those of the public service. */
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

/** How a filter compares, or joins its children. `and` is the documented one; the others are those of the public service. */
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

/** One computed value of each group. */
export interface AggregationRequest {
  /** The name of the value in the answer. */
  readonly alias?: string | undefined;
  /** What the operation needs besides the field: the k of `topk`, say. */
  readonly argument?: QueryValue | undefined;
  /** `*` for `count`. */
  readonly field?: string | undefined;
  /** What is computed. */
  readonly op: AggregationOp;
}

/** A condition on events: a comparison of a field with a value, or several conditions joined. */
export interface Filter {
  /** Whether upper and lower case differ. Its default is not documented. */
  readonly caseSensitive?: boolean | undefined;
  /** What `and`, `or` and `not` join. */
  readonly children?: readonly Filter[] | undefined;
  /** The field that is compared. */
  readonly field?: string | undefined;
  /** How it compares, or joins its children. */
  readonly op: FilterOp;
  /** What the field is compared with. */
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
  /** What to compute of each group. */
  readonly aggregations?: readonly AggregationRequest[] | undefined;
  /** `status.continuationToken` of the page before. */
  readonly continuationToken?: string | undefined;
  /** Where a page starts: a cursor of the page before. */
  readonly cursor?: string | undefined;
  /** Only events from this time on. */
  readonly startTime?: QueryTime | undefined;
  /** Only events before this time. */
  readonly endTime?: QueryTime | undefined;
  /** Only events that fit. */
  readonly filter?: Filter | undefined;
  /** Field names. */
  readonly groupBy?: readonly string[] | undefined;
  /** Whether the event at the cursor is shown again. */
  readonly includeCursor?: boolean | undefined;
  /** Its default and its maximum are not documented. */
  readonly limit?: number | undefined;
  /** How the answer is sorted, the first key first. */
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

/** One entry for each field of a request and none besides: the smallest profile whose requests may hold it. */
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
 * The request as it is sent.
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
