import { type InvokeRequest, InvokeResponse } from "@pulumi/pulumi/proto/provider_pb";
import { type AnyLookup, ask } from "../functions";
import type { Tell } from "../lifecycle";
import { hasUnknown } from "../unknown";
import { nameOfType } from "./properties";
import { decode, encode } from "./values";

/** Runs a data function. The result of secret arguments is secret, and nothing of them is repeated. */
export async function invoke<Client>(
  request: InvokeRequest,
  lookups: readonly AnyLookup<object, Client>[],
  client: () => Client,
  tell: Tell,
): Promise<InvokeResponse> {
  const name = nameOfType(request.getTok());
  const lookup = lookups.find((one) => one.name === name);
  if (!lookup) throw new Error(`there is no function ${request.getTok()}`);
  const { values, secrets } = decode(request.getArgs());
  // No language asks before it knows its arguments. Without one of them it would be another question.
  const unknowns = Object.keys(values).filter((key) => hasUnknown(values[key]));
  if (unknowns.length > 0) throw new Error(`${name}: ${unknowns.join(", ")} is not known yet`);
  const isSecret = secrets.length > 0;
  const result = await ask(lookup, client(), values, { isSecret, warn: tell.warn });
  return new InvokeResponse().setReturn(encode(result, isSecret ? Object.keys(result) : []));
}
