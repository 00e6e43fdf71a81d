import type { Lookup } from "../../framework/functions";
import { anyObject, boolean, integer, list, text, textList } from "../../framework/shapes";
import type { DatasetRequest, DatasetResult, QueryCallOptions } from "../../sdk";
import type { WithClient } from "../shared/account/connection";
import { finishQuery, type Plain } from "./queryResult";

/** A structured query, with its dataset. */
export interface QueryDatasetArgs
  extends Omit<DatasetRequest, "startTime" | "endTime">,
    Pick<QueryCallOptions, "nocache" | "saveAsKind"> {
  /** Start of the time range, in a format that the service accepts. */
  readonly startTime?: string | undefined;
  /** End of the time range, in a format that the service accepts. */
  readonly endTime?: string | undefined;
  /** Id of the dataset. */
  readonly dataset: string;
}

/** The result; `rows`, `totals` and `scalar` read it. An integer beyond 2^53 is a string. */
export type QueryDatasetResult = Plain<DatasetResult>;

export const queryDataset: Lookup<QueryDatasetArgs, QueryDatasetResult, WithClient> = {
  name: "queryDataset",
  operations: ["queries.dataset"],
  arguments: {
    dataset: text,
    aggregations: list,
    continuationToken: text,
    cursor: text,
    startTime: text,
    endTime: text,
    filter: anyObject,
    groupBy: textList,
    includeCursor: boolean,
    limit: integer,
    order: list,
    project: list,
    queryOptions: anyObject,
    resolution: text,
    virtualFields: list,
    nocache: boolean,
    saveAsKind: text,
  },

  async query({ client }, { dataset, nocache, saveAsKind, ...request }, warn) {
    return await finishQuery(await client.queries.dataset(dataset, request, { nocache, saveAsKind }), warn);
  },
};
