import type * as pulumi from "@pulumi/pulumi";
import type { Inputs } from "../../../framework/program/inputs";
import { withPrintableFailures } from "../../../values/printable";
import { type GetTokensArgs, type GetTokensResult, getTokens as lookup } from "../getTokens";
import { invoke, invokeOutput } from "./connect";

export type { GetTokensArgs, GetTokensResult } from "../getTokens";

/**
 * Lists the live tokens of the account.
 * @throws Error for missing settings or an unusable argument, ApiError
 *
 * @example
 * ```ts
 * const { tokens } = await getTokens({ expiringWithin: "14d" });
 * ```
 */
export const getTokens = withPrintableFailures(
  (args: GetTokensArgs = {}, options: pulumi.InvokeOptions = {}): Promise<GetTokensResult> =>
    invoke(lookup, args, options),
);

/** `getTokens` for arguments that are outputs; it waits for `dependsOn`. */
export const getTokensOutput = withPrintableFailures(
  (args: Inputs<GetTokensArgs> = {}, options: pulumi.InvokeOutputOptions = {}): pulumi.Output<GetTokensResult> =>
    invokeOutput(lookup, args, options),
);
