import type { Lookup } from "../../framework/functions";
import type { Tell } from "../../framework/lifecycle";
import { boolean, nonEmptyText, text } from "../../framework/shapes";
import type { DatasetRecord, Token, TokenFilter } from "../../sdk";
import { selectTokens } from "../../sdk/tokenFilter";
import type { WithClient } from "../shared/account/connection";

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
    if (id !== undefined) return await readWhole("token", client.tokens.get(id), warn);
    const live = await readWhole("token", client.tokens.list(), warn);
    const [token, ...more] = selectTokens(live, { name }, new Date());
    if (!token) throw new Error(`getToken: there is no token named "${name}" on ${client.baseUrl}`);
    if (more.length === 0) return token;
    const ids = [token, ...more].map((one) => one.id).join(", ");
    throw new Error(`getToken: several tokens are named "${name}": ${ids}`);
  },
};

/** The tokens to look up; a token must match every given argument. */
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
    const live = await readWhole("token", client.tokens.list(), warn);
    return { tokens: selectTokens(live, args, new Date()) };
  },
};

/** The dataset to look up. */
export interface GetDatasetArgs {
  /** Name of the dataset. */
  readonly name: string;
}

export const getDataset: Lookup<GetDatasetArgs, DatasetRecord, WithClient> = {
  name: "getDataset",
  operations: ["datasets.get"],
  arguments: { name: nonEmptyText },
  query: ({ client }, { name }, warn) => readWhole("dataset", client.datasets.get(name), warn),
};

/** The datasets to look up. */
export interface GetDatasetsArgs {
  /** Beginning of the names of the datasets, such as `web-`. */
  readonly namePrefix?: string | undefined;
}

/** The matching datasets. */
export interface GetDatasetsResult {
  /** The datasets, sorted by name. */
  readonly datasets: DatasetRecord[];
}

export const getDatasets: Lookup<GetDatasetsArgs, GetDatasetsResult, WithClient> = {
  name: "getDatasets",
  operations: ["datasets.list"],
  arguments: { namePrefix: text },

  async query({ client }, { namePrefix = "" }, warn) {
    const live = await readWhole("dataset", client.datasets.list(), warn);
    const fitting = live.filter(({ name }) => name.startsWith(namePrefix));
    return { datasets: fitting.sort((a, b) => (a.name < b.name ? -1 : 1)) };
  },
};

/** Reads a response. A warning of the program says that objects in it could not be read completely. */
async function readWhole<Response extends { readonly odd?: object }>(
  kind: string,
  response: Promise<Response>,
  warn: Tell["warn"],
): Promise<Response> {
  const found = await response;
  const { odd = [] } = found;
  // A list has an entry for each of them, and an object the reasons for its own fields.
  const count = Array.isArray(odd) ? odd.length : 1;
  const objects = count === 1 ? `one ${kind}` : `${count} ${kind}s`;
  if (count > 0) await warn(`the service returned ${objects} in an unexpected form; some of the fields may be missing`);
  return found;
}
