import type * as pulumi from "@pulumi/pulumi";
import type { OutputForm, PlainForm } from "../../../framework/program/functions";
import type { Inputs } from "../../../framework/program/inputs";
import type { ResultFormat, Token } from "../../../sdk";
import { type GetTokenArgs, getToken as getTokenLookup } from "../getToken";
import { type GetTokensArgs, type GetTokensResult, getTokens as getTokensLookup } from "../getTokens";
import { type QueryAplArgs, type QueryAplResult, queryApl as queryAplLookup } from "../queryApl";
import { type QueryDatasetArgs, type QueryDatasetResult, queryDataset as queryDatasetLookup } from "../queryDataset";
import { output, plain } from "./connect";

export type {
  GetTokenArgs,
  GetTokensArgs,
  GetTokensResult,
  QueryAplArgs,
  QueryAplResult,
  QueryDatasetArgs,
  QueryDatasetResult,
};

/**
 * Looks up one live token by its id or name. The result does not hold the secret.
 * @throws Error for missing settings, or if no token or more than one fits; ApiError
 *
 * @example
 * ```ts
 * const { id, expiresAt } = await getToken({ name: "ci" });
 * ```
 */
export const getToken: PlainForm<GetTokenArgs, Token> = plain(getTokenLookup);

/** `getToken` for arguments that are outputs; it waits for `dependsOn`. */
export const getTokenOutput: OutputForm<GetTokenArgs, Token> = output(getTokenLookup);

/**
 * Lists the live tokens of the account.
 * @throws Error for missing settings or an unusable argument, ApiError
 *
 * @example
 * ```ts
 * const { tokens } = await getTokens({ expiringWithin: "14d" });
 * ```
 */
export const getTokens: PlainForm<GetTokensArgs, GetTokensResult> = plain(getTokensLookup);

/** `getTokens` for arguments that are outputs; it waits for `dependsOn`. */
export const getTokensOutput: OutputForm<GetTokensArgs, GetTokensResult> = output(getTokensLookup);

/**
 * Runs a query in the query language. A partial result and the service's warnings are shown as warnings of the
 * program. The program holds the whole result in memory: ask for a summary, not for all events.
 * @throws Error for missing settings or a format that cannot be asked for, ApiError
 *
 * @example
 * ```ts
 * const result = await queryApl({ apl: "['web'] | where status >= 500 | summarize count()", startTime, endTime });
 * const failures = scalar(result);
 * ```
 */
export const queryApl = plain(queryAplLookup) as <Format extends ResultFormat = "legacy">(
  args: QueryAplArgs<Format>,
  options?: pulumi.InvokeOptions,
) => Promise<QueryAplResult<Format>>;

/** `queryApl` for arguments that are outputs; it waits for `dependsOn`. Secret only if an argument is. */
export const queryAplOutput = output(queryAplLookup) as <Format extends ResultFormat = "legacy">(
  args: Inputs<QueryAplArgs<Format>>,
  options?: pulumi.InvokeOutputOptions,
) => pulumi.Output<QueryAplResult<Format>>;

/**
 * Runs a structured query over one dataset. A partial result and the service's warnings are shown as warnings of the
 * program. The program holds the whole result in memory: ask for a summary, not for all events.
 * @throws Error for missing settings, ApiError, RangeError for an id that cannot be part of an address
 *
 * @example
 * ```ts
 * const result = await queryDataset({
 *   dataset: "web", startTime, endTime, resolution: "auto",
 *   aggregations: [{ op: "count", field: "*" }],
 *   groupBy: ["status"],
 * });
 * const counts = totals(result);
 * ```
 */
export const queryDataset: PlainForm<QueryDatasetArgs, QueryDatasetResult> = plain(queryDatasetLookup);

/** `queryDataset` for arguments that are outputs; it waits for `dependsOn`. Secret only if an argument is. */
export const queryDatasetOutput: OutputForm<QueryDatasetArgs, QueryDatasetResult> = output(queryDatasetLookup);
