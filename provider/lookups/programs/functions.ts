import type * as pulumi from "@pulumi/pulumi";
import type { Inputs } from "../../../framework/program/inputs";
import type { ResultFormat } from "../../../sdk";
import type { QueryAplArgs, QueryAplResult } from "../index";
import * as lookups from "../index";
import { output, plain } from "./connect";

export type {
  GetTokenArgs,
  GetTokensArgs,
  GetTokensResult,
  QueryAplArgs,
  QueryAplResult,
  QueryDatasetArgs,
  QueryDatasetResult,
} from "../index";

/**
 * Looks up one live token by its id or name. The result does not hold the secret.
 * @throws Error for missing settings, or if no token or more than one fits; ApiError
 *
 * @example
 * ```ts
 * const { id, expiresAt } = await getToken({ name: "ci" });
 * ```
 */
export const getToken = plain(lookups.getToken);

/** `getToken` for arguments that are outputs; it waits for `dependsOn`. */
export const getTokenOutput = output(lookups.getToken);

/**
 * Lists the live tokens of the account.
 * @throws Error for missing settings or an unusable argument, ApiError
 *
 * @example
 * ```ts
 * const { tokens } = await getTokens({ expiringWithin: "14d" });
 * ```
 */
export const getTokens = plain(lookups.getTokens);

/** `getTokens` for arguments that are outputs; it waits for `dependsOn`. */
export const getTokensOutput = output(lookups.getTokens);

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
export const queryApl = plain(lookups.queryApl) as <Format extends ResultFormat = "legacy">(
  args: QueryAplArgs<Format>,
  options?: pulumi.InvokeOptions,
) => Promise<QueryAplResult<Format>>;

/** `queryApl` for arguments that are outputs; it waits for `dependsOn`. Secret only if an argument is. */
export const queryAplOutput = output(lookups.queryApl) as <Format extends ResultFormat = "legacy">(
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
export const queryDataset = plain(lookups.queryDataset);

/** `queryDataset` for arguments that are outputs; it waits for `dependsOn`. Secret only if an argument is. */
export const queryDatasetOutput = output(lookups.queryDataset);
