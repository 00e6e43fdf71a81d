import type * as pulumi from "@pulumi/pulumi";
import type { Inputs } from "../../../framework/program/inputs";
import { withPrintableFailures } from "../../../values/printable";
import { queryDataset as lookup, type QueryDatasetArgs, type QueryDatasetResult } from "../queryDataset";
import { invoke, invokeOutput } from "./connect";

export type { QueryDatasetArgs, QueryDatasetResult } from "../queryDataset";

/**
 * Runs a structured query over one dataset. A partial answer and the service's warnings are shown as warnings of the
 * program. What comes back is part of what the program computes: ask for a summary, not for all events.
 * @throws Error for missing settings, ApiError, RangeError for an id that cannot be part of an address
 *
 * @example
 * ```ts
 * const answer = await queryDataset({
 *   dataset: "web", startTime, endTime, resolution: "auto",
 *   aggregations: [{ op: "count", field: "*" }],
 *   groupBy: ["status"],
 * });
 * const counts = totals(answer);
 * ```
 */
export const queryDataset = withPrintableFailures(
  (args: QueryDatasetArgs, options: pulumi.InvokeOptions = {}): Promise<QueryDatasetResult> =>
    invoke(lookup, args, options),
);

/** `queryDataset` for arguments that are outputs; it waits for `dependsOn`. Secret only if an argument is. */
export const queryDatasetOutput = withPrintableFailures(
  (args: Inputs<QueryDatasetArgs>, options: pulumi.InvokeOutputOptions = {}): pulumi.Output<QueryDatasetResult> =>
    invokeOutput(lookup, args, options),
);
