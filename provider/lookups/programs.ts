import * as pulumi from "@pulumi/pulumi";
import { ask } from "../../framework/functions";
import { dataFunctions } from "../../framework/program/functions";
import type { Inputs } from "../../framework/program/inputs";
import type { ResultFormat } from "../../sdk";
import { requireSettings, type Settings, type SettingsSource } from "../../sdk/settings";
import { settingsSources, thisPackage } from "../shared/strings";
import type { QueryAplArgs, QueryAplResult } from "./index";
import * as lookups from "./index";

export type * from "./index";

/** The data functions of programs, each call with a client of its own. The client loads only here: most programs need none. */
const { plain, output } = dataFunctions(thisPackage, async (lookup, args, { provider, get }, isSecret) => {
  const sdk = require("../../sdk") as typeof import("../../sdk");
  const found = findSettings(settingsSources(provider, get));
  await using client = new sdk.EventDatasets({ settings: found, inform: (line) => void pulumi.log.info(line) });
  return await ask(lookup, { client }, args, { isSecret, warn: (message) => pulumi.log.warn(message) });
});

/** Whether the program runs within its user's own process, as an inline program of the Automation API does. */
const isInline = (): boolean => !/[\\/]@pulumi[\\/]pulumi[\\/]cmd[\\/]run/.test(process.argv[1] ?? "");

/** The settings; in an inline program a missing one is easily one that was given to the wrong process. */
function findSettings(sources: readonly SettingsSource[]): Settings {
  try {
    return requireSettings(sources);
  } catch (failure) {
    if (!isInline()) throw failure;
    const hint = "The envVars of a workspace reach the provider, but not the functions of an inline program:";
    const { message } = failure as Error;
    throw new Error(`${message}. ${hint} set them in process.env too, or in the stack's config`, { cause: failure });
  }
}

/**
 * Looks up a dataset by its name. Needs the `extended` profile.
 * @throws Error for missing settings, ApiError (404: there is no such dataset)
 *
 * @example
 * ```ts
 * const { retentionDays } = await getDataset({ name: "web" });
 * ```
 */
export const getDataset = plain(lookups.getDataset);

/** `getDataset` for arguments that are outputs; it waits for `dependsOn`. */
export const getDatasetOutput = output(lookups.getDataset);

/**
 * Looks up all datasets whose names begin with a text, sorted by name. The result is `{ datasets }`. Needs the `extended` profile.
 * @throws Error for missing settings, ApiError
 *
 * @example
 * ```ts
 * const { datasets } = await getDatasets({ namePrefix: "web-" });
 * ```
 */
export const getDatasets = plain(lookups.getDatasets);

/** `getDatasets` for arguments that are outputs; it waits for `dependsOn`. */
export const getDatasetsOutput = output(lookups.getDatasets);

/**
 * Looks up one live token by its id or name, without its secret. Fails unless exactly one token matches.
 * @throws Error for missing settings, or unless exactly one token matches; ApiError
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
 * Looks up all live tokens that match every given argument, sorted by name and then by id. The result is `{ tokens }`.
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
 * Runs an APL query, in every preview and every update. If the result is partial, Pulumi shows a warning. It also shows the
 * service's own warnings. The program holds the whole result in memory: ask for a summary, not for all events.
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
 * Runs a structured query over one dataset, in every preview and every update. If the result is partial, Pulumi shows a warning.
 * It also shows the service's own warnings. The program holds the whole result in memory: ask for a summary, not for all events.
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
