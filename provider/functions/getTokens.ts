import type * as pulumi from "@pulumi/pulumi";
import type { EventDatasets, Token, TokenFilter } from "../../sdk";
import { selectTokens } from "../../sdk/tokenFilter";
import { type InputsOf, invoke, invokeOutput } from "./connect";

/** Which tokens to get; a token must fit everything that is given. */
export type GetTokensArgs = TokenFilter;

export interface GetTokensResult {
  /** The tokens by name, those of one name by id, without their secrets. */
  readonly tokens: Token[];
}

/**
 * Lists the live tokens of the account.
 * @throws Error for missing settings or an unusable argument, ApiError
 */
export const getTokens = (args: GetTokensArgs = {}, options: pulumi.InvokeOptions = {}): Promise<GetTokensResult> =>
  invoke(options, (client) => query(client, args));

/** `getTokens` for arguments that are outputs; it waits for `dependsOn`. */
export const getTokensOutput = (
  args: InputsOf<GetTokensArgs> = {},
  options: pulumi.InvokeOutputOptions = {},
): pulumi.Output<GetTokensResult> => invokeOutput(args, options, query);

const query = async (client: EventDatasets, args: GetTokensArgs): Promise<GetTokensResult> => ({
  tokens: selectTokens(await client.tokens.list(), args, new Date()),
});
