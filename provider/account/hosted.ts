import type { ResourceDefinition } from "../../framework/definition";
import type { AnyLifecycle, HostedResource } from "../../framework/host";
import type { Bag, CheckFailure } from "../../framework/lifecycle";
import { offers, type Profile } from "../../sdk";
import type { Planning, Service } from "./connection";

/** A resource of this provider with its lifecycle. */
export type Hosted = HostedResource<Planning, Service>;

/** Joins a definition with its lifecycle. The engine's values have no types; the lifecycle's `check` looks at all of them. */
export const host = (
  definition: ResourceDefinition,
  lifecycle: object,
  more: Omit<Hosted, "definition" | "lifecycle">,
): Hosted => ({ definition, lifecycle: lifecycle as AnyLifecycle<Planning, Service>, ...more });

/** The fields of a noun, with the smallest profile that has each. */
type Fields = Readonly<Record<string, { readonly profile: Profile }>>;

/** Refuses the inputs that the profile does not have: at preview, before the client would. */
export const refuseFields =
  (fields: Fields) =>
  (inputs: Bag, { profile }: Planning): CheckFailure[] =>
    Object.entries(fields)
      .filter(([field, facts]) => inputs[field] !== undefined && !offers(profile, facts))
      .map(([field, facts]) => ({ property: field, reason: `needs the profile ${facts.profile}` }));
