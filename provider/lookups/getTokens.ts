import type { EventDatasets, Token, TokenFilter } from "../../sdk";
import { selectTokens } from "../../sdk/tokenFilter";
import { requireKnownArguments } from "./knownArguments";
import type { Lookup, Warn } from "./lookup";
import { warnOfOddTokens } from "./warnings";

/** Which tokens to get; a token must fit everything that is given. */
export type GetTokensArgs = TokenFilter;

/** The tokens that fit. */
export interface GetTokensResult {
  /** The tokens by name, those of one name by id, without their secrets. */
  readonly tokens: Token[];
}

const known = {
  name: true,
  nameRegex: true,
  expired: true,
  expiringWithin: true,
  withoutExpiry: true,
  capability: true,
} satisfies Record<keyof GetTokensArgs, true>;

export const getTokens: Lookup<GetTokensArgs, GetTokensResult> = { name: "getTokens", query };

async function query(client: EventDatasets, args: GetTokensArgs, warn: Warn): Promise<GetTokensResult> {
  requireKnownArguments("getTokens", args, known);
  const live = await client.tokens.list();
  await warnOfOddTokens("getTokens", live, warn);
  return { tokens: selectTokens(live, args, new Date()) };
}
