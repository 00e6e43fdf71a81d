import type * as pulumi from "@pulumi/pulumi";
import type { Inputs } from "../../../framework/program/inputs";
import type { ResultFormat } from "../../../sdk";
import { withPrintableFailures } from "../../../values/printable";
import { queryApl as lookup, type QueryAplArgs, type QueryAplResult } from "../queryApl";
import { invoke, invokeOutput } from "./connect";

export type { QueryAplArgs, QueryAplResult } from "../queryApl";

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
  ): Promise<QueryAplResult<Format>> => invoke(lookup<Format>(), args, options),
);

/** `queryApl` for arguments that are outputs; it waits for `dependsOn`. Secret only if an argument is. */
export const queryAplOutput = withPrintableFailures(
  <Format extends ResultFormat = "legacy">(
    args: Inputs<QueryAplArgs<Format>>,
    options: pulumi.InvokeOutputOptions = {},
  ): pulumi.Output<QueryAplResult<Format>> => invokeOutput(lookup<Format>(), args, options),
);
