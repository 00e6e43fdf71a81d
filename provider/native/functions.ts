import { InvokeRequest, InvokeResponse } from "@pulumi/pulumi/proto/provider_pb";
import { getToken } from "../lookups/getToken";
import { getTokens } from "../lookups/getTokens";
import type { Lookup } from "../lookups/lookup";
import { queryApl } from "../lookups/queryApl";
import { queryDataset } from "../lookups/queryDataset";
import type { Connection, Tell } from "../session/connection";
import { nameOfType } from "./resources";
import { decode, encode } from "./values";

const lookups: readonly Lookup<never, object>[] = [getToken, getTokens, queryApl(), queryDataset];

/** Answers a data function. What is asked with a secret is answered as one. */
export async function invoke(request: InvokeRequest, connection: Connection, tell: Tell): Promise<InvokeResponse> {
  const name = nameOfType(request.getTok());
  const lookup = lookups.find((one) => one.name === name);
  if (!lookup) throw new Error(`there is no function ${request.getTok()}`);
  const { values, secrets } = decode(request.getArgs());
  const answer = await lookup.query(connection.session().client, values as never, tell.warn);
  return new InvokeResponse().setReturn(encode(answer, secrets.length > 0 ? Object.keys(answer) : []));
}

export { InvokeRequest };
