import type { Lookup } from "../../framework/functions";
import { boolean, text } from "../../framework/shapes";
import type { Token, TokenFilter } from "../../sdk";
import { selectTokens } from "../../sdk/tokenFilter";
import type { WithClient } from "../shared/account/connection";
import { warnOfOdd } from "./warnOfOdd";

/** Which tokens to get; a token must match every given argument. */
export type GetTokensArgs = TokenFilter;

/** The matching tokens. */
export interface GetTokensResult {
  /** The tokens without their secrets, sorted by name and then by id. */
  readonly tokens: Token[];
}

export const getTokens: Lookup<GetTokensArgs, GetTokensResult, WithClient> = {
  name: "getTokens",
  operations: ["tokens.list"],
  arguments: {
    name: text,
    namePrefix: text,
    expired: boolean,
    expiringWithin: text,
    withoutExpiry: boolean,
    capability: text,
  },

  async query({ client }, args, warn) {
    const live = await client.tokens.list();
    await warnOfOdd("token", live.odd, warn);
    return { tokens: selectTokens(live, args, new Date()) };
  },
};
