import type * as pulumi from "@pulumi/pulumi";
import type { EventDatasets, Token } from "../../sdk";
import { type InputsOf, invoke, invokeOutput } from "./connect";

/** Which tokens to get. */
export interface GetTokensArgs {
  /** Only tokens of exactly this name. */
  readonly name?: string | undefined;
}

export interface GetTokensResult {
  /** The tokens by name, those of one name by id, without their secrets. */
  readonly tokens: Token[];
}

/**
 * Lists the live tokens of the account.
 * @throws Error for missing settings, ApiError
 */
export const getTokens = (args: GetTokensArgs = {}, options: pulumi.InvokeOptions = {}): Promise<GetTokensResult> =>
  invoke(options, (client) => query(client, args));

/** `getTokens` for arguments that are outputs; it waits for `dependsOn`. */
export const getTokensOutput = (
  args: InputsOf<GetTokensArgs> = {},
  options: pulumi.InvokeOutputOptions = {},
): pulumi.Output<GetTokensResult> => invokeOutput(args, options, query);

async function query(client: EventDatasets, { name }: GetTokensArgs): Promise<GetTokensResult> {
  const tokens = await client.tokens.list();
  const wanted = name === undefined ? tokens : tokens.filter((token) => token.name === name);
  return { tokens: wanted.sort((a, b) => order(a.name, b.name) || order(a.id, b.id)) };
}

const order = (a: string, b: string): number => (a < b ? -1 : a > b ? 1 : 0);
