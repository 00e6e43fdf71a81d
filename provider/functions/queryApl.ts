import type * as pulumi from "@pulumi/pulumi";
import type { AplRequest, AplResult, EventDatasets, ResultFormat, TabularResult } from "../../sdk";
import { type InputsOf, invoke, invokeOutput } from "./connect";
import { type Plain, plainJson } from "./plainJson";
import { warnOf } from "./queryWarnings";

/** A query in the query language. */
export interface QueryAplArgs<Format extends ResultFormat = ResultFormat>
  extends Omit<AplRequest, "startTime" | "endTime"> {
  /** As the service takes it. */
  readonly startTime?: string | undefined;
  /** As the service takes it. */
  readonly endTime?: string | undefined;
  /**
   * The form of the answer; left out, it is the documented one. In the profile `documented` the setting `formatParameter`
   * must name the query parameter to ask for either.
   */
  readonly format?: Format | undefined;
}

/** The answer; `rows`, `totals` and `scalar` read it. An integer beyond 2^53 is a string. */
export type QueryAplResult<Format extends ResultFormat = "legacy"> = Plain<
  Format extends "tabular" ? TabularResult : AplResult
>;

/**
 * Runs a query in the query language. A partial answer and the service's warnings are shown as warnings of the program.
 * What comes back is part of what the program computes: ask for a summary, not for all events.
 * @throws Error for missing settings or a format that cannot be asked for, ApiError
 */
export const queryApl = <Format extends ResultFormat = "legacy">(
  args: QueryAplArgs<Format>,
  options: pulumi.InvokeOptions = {},
): Promise<QueryAplResult<Format>> => invoke(options, (client) => query(client, args));

/** `queryApl` for arguments that are outputs; it waits for `dependsOn`. Secret only if an argument is. */
export const queryAplOutput = <Format extends ResultFormat = "legacy">(
  args: InputsOf<QueryAplArgs<Format>>,
  options: pulumi.InvokeOutputOptions = {},
): pulumi.Output<QueryAplResult<Format>> =>
  invokeOutput<QueryAplArgs<Format>, QueryAplResult<Format>>(args, options, query);

async function query<Format extends ResultFormat>(
  client: EventDatasets,
  { format, ...request }: QueryAplArgs<Format>,
): Promise<QueryAplResult<Format>> {
  const result = await client.queries.apl(request, { format });
  await warnOf("queryApl", result);
  return plainJson(result) as QueryAplResult<Format>;
}
