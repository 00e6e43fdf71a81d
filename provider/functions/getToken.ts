import type * as pulumi from "@pulumi/pulumi";
import type { EventDatasets, Token } from "../../sdk";
import { selectTokens } from "../../sdk/tokenFilter";
import { withPrintableFailures } from "../../sdk/values/printable";
import type { Inputs } from "../resources/inputs";
import { requireKnownArguments } from "../resources/knownArguments";
import { invoke, invokeOutput } from "./connect";
import { warnOfOddTokens } from "./warnings";

/** Which token to get: either its `id` or its `name`. */
export interface GetTokenArgs {
  /** Id of the token. */
  readonly id?: string | undefined;
  /** Name of the token; an error if several tokens have it. */
  readonly name?: string | undefined;
}

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

const known = { id: true, name: true } satisfies Record<keyof GetTokenArgs, true>;

const lookup = { name: "getToken", query };

async function query(client: EventDatasets, args: GetTokenArgs): Promise<Token> {
  requireKnownArguments("getToken", args, known);
  const { id, name } = args;
  if ((id === undefined) === (name === undefined)) throw new Error("getToken: give either id or name");
  if (id !== undefined) return client.tokens.get(id);
  const live = await client.tokens.list();
  await warnOfOddTokens("getToken", live);
  const [token, ...more] = selectTokens(live, { name }, new Date());
  if (!token) throw new Error(`getToken: there is no token named "${name}" on ${client.baseUrl}`);
  if (more.length === 0) return token;
  throw new Error(`getToken: several tokens are named "${name}": ${[token, ...more].map((one) => one.id).join(", ")}`);
}
