import type { Lookup } from "../../framework/functions";
import { nonEmptyText } from "../../framework/shapes";
import type { Token } from "../../sdk";
import { selectTokens } from "../../sdk/tokenFilter";
import type { WithClient } from "../shared/account/connection";
import { warnOfOdd } from "./warnOfOdd";

/** The token to look up, by its `id` or its `name`. */
export interface GetTokenArgs {
  /** Id of the token. */
  readonly id?: string | undefined;
  /** Name of the token. It is an error if several tokens have this name. */
  readonly name?: string | undefined;
}

export const getToken: Lookup<GetTokenArgs, Token, WithClient> = {
  name: "getToken",
  operations: ["tokens.get", "tokens.list"],
  arguments: { id: nonEmptyText, name: nonEmptyText },

  async query({ client }, { id, name }, warn) {
    if ((id === undefined) === (name === undefined)) throw new Error("getToken: set either id or name");
    if (id !== undefined) {
      const found = await client.tokens.get(id);
      await warnOfOdd("token", found.odd ? [found] : [], warn);
      return found;
    }
    const live = await client.tokens.list();
    await warnOfOdd("token", live.odd, warn);
    const [token, ...more] = selectTokens(live, { name }, new Date());
    if (!token) throw new Error(`getToken: there is no token named "${name}" on ${client.baseUrl}`);
    if (more.length === 0) return token;
    const ids = [token, ...more].map((one) => one.id).join(", ");
    throw new Error(`getToken: several tokens are named "${name}": ${ids}`);
  },
};
