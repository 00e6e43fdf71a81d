import type * as pulumi from "@pulumi/pulumi";
import type { Inputs } from "../../../framework/program/inputs";
import type { Token } from "../../../sdk";
import { withPrintableFailures } from "../../../values/printable";
import { type GetTokenArgs, getToken as lookup } from "../getToken";
import { invoke, invokeOutput } from "./connect";

export type { GetTokenArgs } from "../getToken";

/**
 * Looks up one live token, without its secret.
 * @throws Error for missing settings, or if no token or more than one fits; ApiError
 *
 * @example
 * ```ts
 * const { id, expiresAt } = await getToken({ name: "ci" });
 * ```
 */
export const getToken = withPrintableFailures(
  (args: GetTokenArgs, options: pulumi.InvokeOptions = {}): Promise<Token> => invoke(lookup, args, options),
);

/** `getToken` for arguments that are outputs; it waits for `dependsOn`. */
export const getTokenOutput = withPrintableFailures(
  (args: Inputs<GetTokenArgs>, options: pulumi.InvokeOutputOptions = {}): pulumi.Output<Token> =>
    invokeOutput(lookup, args, options),
);
