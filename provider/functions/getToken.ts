import type * as pulumi from "@pulumi/pulumi";
import type { EventDatasets, Token } from "../../sdk";
import { selectTokens } from "../../sdk/tokenFilter";
import { type InputsOf, invoke, invokeOutput } from "./connect";

/** Which token to get: either its `id` or its `name`. */
export interface GetTokenArgs {
  readonly id?: string | undefined;
  /** An error if several tokens have it. */
  readonly name?: string | undefined;
}

/**
 * Looks up one live token, without its secret.
 * @throws Error for missing settings, or if no token or more than one fits; ApiError
 */
export const getToken = (args: GetTokenArgs, options: pulumi.InvokeOptions = {}): Promise<Token> =>
  invoke(options, (client) => query(client, args));

/** `getToken` for arguments that are outputs; it waits for `dependsOn`. */
export const getTokenOutput = (
  args: InputsOf<GetTokenArgs>,
  options: pulumi.InvokeOutputOptions = {},
): pulumi.Output<Token> => invokeOutput(args, options, query);

async function query(client: EventDatasets, { id, name }: GetTokenArgs): Promise<Token> {
  if ((id === undefined) === (name === undefined)) throw new Error("getToken: give either id or name");
  if (id !== undefined) return client.tokens.get(id);
  const [token, ...more] = selectTokens(await client.tokens.list(), { name }, new Date());
  if (!token) throw new Error(`getToken: there is no token named "${name}" on ${client.baseUrl}`);
  if (more.length === 0) return token;
  throw new Error(`getToken: several tokens are named "${name}": ${[token, ...more].map((one) => one.id).join(", ")}`);
}
