import { type InvokeRequest, InvokeResponse } from "@pulumi/pulumi/proto/provider_pb";
import schema from "../../schema.json";
import { hasUnknown } from "../lifecycle/contract";
import { ask } from "../lookups/ask";
import { getToken } from "../lookups/getToken";
import { getTokens } from "../lookups/getTokens";
import { requireKnownArguments } from "../lookups/knownArguments";
import type { Lookup } from "../lookups/lookup";
import { queryApl } from "../lookups/queryApl";
import { queryDataset } from "../lookups/queryDataset";
import type { Connection, Tell } from "../session/connection";
import { nameOfType } from "./resources";
import { decode, encode } from "./values";

const lookups: readonly Lookup<never, object>[] = [getToken, getTokens, queryApl(), queryDataset];

/** Answers a data function. What is asked with a secret is answered as one, and nothing of it is repeated. */
export async function invoke(request: InvokeRequest, connection: Connection, tell: Tell): Promise<InvokeResponse> {
  const name = nameOfType(request.getTok());
  const lookup = lookups.find((one) => one.name === name);
  if (!lookup) throw new Error(`there is no function ${request.getTok()}`);
  const { values, secrets } = decode(request.getArgs());
  const inputs = schema.functions[`event-datasets:index:${name}` as keyof typeof schema.functions].inputs;
  requireKnownArguments(name, values, inputs.properties);
  // No language asks before it knows what. What would be asked without it is something else.
  const unknowns = Object.keys(values).filter((key) => hasUnknown(values[key]));
  if (unknowns.length > 0) throw new Error(`${name}: ${unknowns.join(", ")} is not known yet`);
  const isSecret = secrets.length > 0;
  const answer = await ask(lookup, connection.session().client, values as never, { isSecret, warn: tell.warn });
  return new InvokeResponse().setReturn(encode(answer, isSecret ? Object.keys(answer) : []));
}
