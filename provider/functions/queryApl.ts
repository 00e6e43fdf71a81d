import type * as pulumi from "@pulumi/pulumi";
import type { AplRequest, AplResult, EventDatasets, ResultFormat, TabularResult } from "../../sdk";
import { withPrintableFailures } from "../../sdk/values/printable";
import type { Inputs } from "../resources/inputs";
import { invoke, invokeOutput } from "./connect";
import { type Plain, plainJson } from "./plainJson";
import { warnOfAnswer } from "./warnings";

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
 *
 * @example
 * ```ts
 * const answer = await queryApl({ apl: "['web'] | where status >= 500 | summarize count()", startTime, endTime });
 * const failures = scalar(answer);
 * ```
 */
export const queryApl = withPrintableFailures(
  <Format extends ResultFormat = "legacy">(
    args: QueryAplArgs<Format>,
    options: pulumi.InvokeOptions = {},
  ): Promise<QueryAplResult<Format>> => invoke({ name: "queryApl", query: query<Format> }, args, options),
);

/** `queryApl` for arguments that are outputs; it waits for `dependsOn`. Secret only if an argument is. */
export const queryAplOutput = withPrintableFailures(
  <Format extends ResultFormat = "legacy">(
    args: Inputs<QueryAplArgs<Format>>,
    options: pulumi.InvokeOutputOptions = {},
  ): pulumi.Output<QueryAplResult<Format>> => invokeOutput({ name: "queryApl", query: query<Format> }, args, options),
);

async function query<Format extends ResultFormat>(
  client: EventDatasets,
  { format, ...request }: QueryAplArgs<Format>,
): Promise<QueryAplResult<Format>> {
  const result = await client.queries.apl(request, { format });
  await warnOfAnswer("queryApl", result);
  return plainJson(result) as QueryAplResult<Format>;
}
