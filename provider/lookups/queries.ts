import type { Lookup } from "../../framework/functions";
import type { Tell } from "../../framework/lifecycle";
import { anyObject, boolean, integer, list, oneOf, text, textList } from "../../framework/shapes";
import { findMissingField } from "../../gate/messages";
import type {
  AplOptions,
  AplRequest,
  AplResult,
  DatasetRequest,
  DatasetResult,
  QueryCallOptions,
  QueryStatus,
  QueryValue,
  ResultFormat,
  TabularResult,
} from "../../sdk";
import { warningsOf } from "../../sdk/queries/warnings";
import { emptyObject, isObject, type Json, requireShallow } from "../../values/json";
import type { WithClient } from "../shared/account/connection";

interface Range {
  /** Start of the time range, in a format that the service accepts. */
  readonly startTime?: string | undefined;
  /** End of the time range, in a format that the service accepts. */
  readonly endTime?: string | undefined;
}

/** The arguments that both kinds of queries have. */
const shared = {
  startTime: text,
  endTime: text,
  cursor: text,
  includeCursor: boolean,
  queryOptions: anyObject,
  nocache: boolean,
  saveAsKind: text,
};

/** A query in APL. */
export interface QueryAplArgs<Format extends ResultFormat = ResultFormat>
  extends Range,
    Omit<AplRequest, keyof Range>,
    Pick<AplOptions, "nocache" | "saveAsKind" | "saveAsDataset"> {
  /**
   * Format of the result. `legacy`: buckets and matches. `tabular`: tables. Without it, the result has the documented format.
   * In the `documented` profile it needs the setting `formatParameter`. `tabular-rows` is not available: use the function `rows`.
   */
  readonly format?: Format | undefined;
}

/** The result; `rows`, `totals` and `scalar` read it. An integer beyond 2^53 is a string. */
export type QueryAplResult<Format extends ResultFormat = "legacy"> = {
  readonly legacy: Plain<AplResult>;
  readonly tabular: Plain<TabularResult>;
}[Format];

export const queryApl: Lookup<QueryAplArgs, QueryAplResult<ResultFormat>, WithClient> = {
  name: "queryApl",
  operations: ["queries.apl"],
  arguments: {
    ...shared,
    apl: text,
    variables: anyObject,
    defaultLimit: integer,
    defaultOrder: list,
    includeCursorField: boolean,
    libraries: textList,
    maxBinAutoGroups: integer,
    saveAsDataset: text,
    format: oneOf("legacy", "tabular"),
  },

  async query({ client }, { format, nocache, saveAsKind, saveAsDataset, ...request }, warn) {
    const result = await client.queries.apl(request, { format, nocache, saveAsKind, saveAsDataset });
    return await finishQuery(result, warn);
  },
};

/** A structured query, with its dataset. */
export interface QueryDatasetArgs
  extends Range,
    Omit<DatasetRequest, keyof Range>,
    Pick<QueryCallOptions, "nocache" | "saveAsKind"> {
  /** Id of the dataset. */
  readonly dataset: string;
}

/** The result; `rows`, `totals` and `scalar` read it. An integer beyond 2^53 is a string. */
export type QueryDatasetResult = Plain<DatasetResult>;

export const queryDataset: Lookup<QueryDatasetArgs, QueryDatasetResult, WithClient> = {
  name: "queryDataset",
  operations: ["queries.dataset"],
  arguments: {
    ...shared,
    dataset: text,
    aggregations: list,
    continuationToken: text,
    filter: anyObject,
    groupBy: textList,
    limit: integer,
    order: list,
    project: list,
    resolution: text,
    virtualFields: list,
  },

  async query({ client }, { dataset, nocache, saveAsKind, ...request }, warn) {
    return await finishQuery(await client.queries.dataset(dataset, request, { nocache, saveAsKind }), warn);
  },
};

/** A value in a form that the engine can keep: JSON has no `bigint`, so an integer beyond 2^53 becomes decimal text. */
type Plain<T> = [QueryValue] extends [T] ? Json : PlainMembers<T>;

// An open list of words (`string & {}`) counts as an object, too, and is a string all the same.
type PlainMembers<T> = T extends bigint
  ? string
  : T extends string
    ? T
    : T extends readonly (infer Item)[]
      ? readonly Plain<Item>[]
      : T extends object
        ? { readonly [Key in keyof T]: Plain<T[Key]> }
        : T;

/**
 * The result of a query in a form that the engine can keep. Pulumi shows doubts about the result as warnings.
 * @throws Error if a field does not exist, whether the service refuses it or warns of it, and for events nested deeper than 100
 *   levels: neither the SDK nor the engine takes any depth
 */
async function finishQuery<Result extends { readonly status: QueryStatus }>(
  result: Result,
  warn: Tell["warn"],
): Promise<Plain<Result>> {
  const missing = findMissingField(result);
  if (missing !== undefined) throw new Error(missing);
  for (const warning of warningsOf(result)) await warn(warning);
  try {
    return withoutBigints(result, 0) as Plain<Result>;
  } catch (failure) {
    throw new Error(`the result is ${(failure as RangeError).message}: query fewer fields`, { cause: failure });
  }
}

function withoutBigints(value: unknown, depth: number): unknown {
  requireShallow(depth);
  if (typeof value === "bigint") return String(value);
  if (Array.isArray(value)) return value.map((member) => withoutBigints(member, depth + 1));
  if (!isObject(value)) return value;
  const members = emptyObject<unknown>();
  for (const [key, member] of Object.entries(value)) members[key] = withoutBigints(member, depth + 1);
  return members;
}
