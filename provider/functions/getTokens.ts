import type * as pulumi from "@pulumi/pulumi";
import type { EventDatasets, Token, TokenFilter } from "../../sdk";
import { selectTokens } from "../../sdk/tokenFilter";
import { withPrintableFailures } from "../../sdk/values/printable";
import type { Inputs } from "../resources/inputs";
import { requireKnownArguments } from "../resources/knownArguments";
import { invoke, invokeOutput } from "./connect";
import { warnOfOddTokens } from "./warnings";

/** Which tokens to get; a token must fit everything that is given. */
export type GetTokensArgs = TokenFilter;

/** The tokens that fit. */
export interface GetTokensResult {
  /** The tokens by name, those of one name by id, without their secrets. */
  readonly tokens: Token[];
}

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

const known = {
  name: true,
  nameRegex: true,
  expired: true,
  expiringWithin: true,
  withoutExpiry: true,
  capability: true,
} satisfies Record<keyof GetTokensArgs, true>;

const lookup = { name: "getTokens", query };

async function query(client: EventDatasets, args: GetTokensArgs): Promise<GetTokensResult> {
  requireKnownArguments("getTokens", args, known);
  const live = await client.tokens.list();
  await warnOfOddTokens("getTokens", live);
  return { tokens: selectTokens(live, args, new Date()) };
}
