import { signatureKey } from "../framework/engineValues";
import type { Bag } from "../framework/lifecycle";
import { notKnown } from "../framework/unknown";
import { isObject } from "../values/json";

/** Project and stack of a resource; undefined for an invalid URN. */
export function placeOfUrn(urn: unknown): { readonly project: string; readonly stack: string } | undefined {
  const [, stack, project] = /^urn:pulumi:(.*?)::(.*?)::/.exec(typeof urn === "string" ? urn : "") ?? [];
  return stack === undefined || project === undefined ? undefined : { project, stack };
}

/** Project and stack in the form of policies: `web/prod`. */
export function stackOfUrn(urn: unknown): string | undefined {
  const place = placeOfUrn(urn);
  return place && `${place.project}/${place.stack}`;
}

/** All members except the secret and the stored provider. */
export function withoutSecrets(properties: unknown): Bag {
  if (!isObject(properties)) return {};
  const { token: _, __provider, ...rest } = properties;
  return hideSecrets(rest) as Bag;
}

/** A copy in which every encrypted part is unknown. */
export function hideSecrets(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(hideSecrets);
  if (!isObject(value)) return value;
  if (Object.hasOwn(value, signatureKey)) return notKnown;
  return Object.fromEntries(Object.entries(value).map(([key, member]) => [key, hideSecrets(member)]));
}
