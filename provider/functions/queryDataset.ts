import type * as pulumi from "@pulumi/pulumi";
import type { DatasetRequest, DatasetResult, EventDatasets } from "../../sdk";
import { type InputsOf, invoke, invokeOutput } from "./connect";
import { type Plain, plainJson } from "./plainJson";
import { warnOf } from "./queryWarnings";

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
 * @throws Error for missing settings, ApiError, RangeError for an id that is none
 */
export const queryDataset = (args: QueryDatasetArgs, options: pulumi.InvokeOptions = {}): Promise<QueryDatasetResult> =>
  invoke(options, (client) => query(client, args));

/** `queryDataset` for arguments that are outputs; it waits for `dependsOn`. Secret only if an argument is. */
export const queryDatasetOutput = (
  args: InputsOf<QueryDatasetArgs>,
  options: pulumi.InvokeOutputOptions = {},
): pulumi.Output<QueryDatasetResult> => invokeOutput(args, options, query);

async function query(client: EventDatasets, { dataset, ...request }: QueryDatasetArgs): Promise<QueryDatasetResult> {
  const result = await client.queries.dataset(dataset, request);
  await warnOf("queryDataset", result);
  return plainJson(result);
}
