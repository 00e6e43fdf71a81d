import type { Lookup } from "../../framework/functions";
import { anyObject, boolean, integer, list, oneOf, text, textList } from "../../framework/shapes";
import type { AplOptions, AplRequest, AplResult, ResultFormat, TabularResult } from "../../sdk";
import type { WithClient } from "../shared/account/connection";
import { finishQuery, type Plain } from "./queryResult";

/** A query in the query language. */
export interface QueryAplArgs<Format extends ResultFormat = ResultFormat>
  extends Omit<AplRequest, "startTime" | "endTime">,
    Pick<AplOptions, "nocache" | "saveAsKind" | "saveAsDataset"> {
  /** Start of the time range, in a format that the service accepts. */
  readonly startTime?: string | undefined;
  /** End of the time range, in a format that the service accepts. */
  readonly endTime?: string | undefined;
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
    apl: text,
    startTime: text,
    endTime: text,
    cursor: text,
    includeCursor: boolean,
    variables: anyObject,
    queryOptions: anyObject,
    defaultLimit: integer,
    defaultOrder: list,
    includeCursorField: boolean,
    libraries: textList,
    maxBinAutoGroups: integer,
    nocache: boolean,
    saveAsKind: text,
    saveAsDataset: text,
    format: oneOf("legacy", "tabular"),
  },

  async query({ client }, { format, nocache, saveAsKind, saveAsDataset, ...request }, warn) {
    const result = await client.queries.apl(request, { format, nocache, saveAsKind, saveAsDataset });
    return await finishQuery(result, warn);
  },
};
