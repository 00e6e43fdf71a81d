import type * as pulumi from "@pulumi/pulumi";
import type { DatasetRequest, DatasetResult, EventDatasets } from "../../sdk";
import { withPrintableFailures } from "../../sdk/values/printable";
import type { Inputs } from "../resources/inputs";
import { invoke, invokeOutput } from "./connect";
import { type Plain, plainJson } from "./plainJson";
import { warnOfAnswer } from "./warnings";

/** A structured query with the dataset that it is over. */
export interface QueryDatasetArgs extends Omit<DatasetRequest, "startTime" | "endTime"> {
  /** As the service takes it. */
  readonly startTime?: string | undefined;
  /** As the service takes it. */
  readonly endTime?: string | undefined;
  /** Id of the dataset. */
  readonly dataset: string;
}

/** The answer; `rows`, `totals` and `scalar` read it. An integer beyond 2^53 is a string. */
export type QueryDatasetResult = Plain<DatasetResult>;

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
    invoke(structured, args, options),
);

/** `queryDataset` for arguments that are outputs; it waits for `dependsOn`. Secret only if an argument is. */
export const queryDatasetOutput = withPrintableFailures(
  (args: Inputs<QueryDatasetArgs>, options: pulumi.InvokeOutputOptions = {}): pulumi.Output<QueryDatasetResult> =>
    invokeOutput(structured, args, options),
);

const structured = { name: "queryDataset", query };

async function query(client: EventDatasets, { dataset, ...request }: QueryDatasetArgs): Promise<QueryDatasetResult> {
  const result = await client.queries.dataset(dataset, request);
  await warnOfAnswer("queryDataset", result);
  return plainJson(result);
}
