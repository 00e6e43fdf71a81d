import type { Bag } from "../framework/lifecycle";
import { defaultProvider } from "./account";

/**
 * Groups the resources of a state by the provider that manages them: a reference of the state without the UUID, which changes with the
 * provider's arguments. A `Provider` that was renamed with an alias stays the same one.
 */
export function groupProviders(resources: readonly Bag[]): (resource: Bag) => string {
  const renamed = new Map<unknown, string>();
  for (const { type, urn, aliases } of resources)
    if (String(type).startsWith("pulumi:providers:") && Array.isArray(aliases))
      for (const alias of aliases) renamed.set(alias, String(urn));
  const follow = (urn: string, seen: readonly string[] = []): string => {
    const next = renamed.get(urn);
    return next === undefined || seen.includes(next) ? urn : follow(next, [...seen, urn]);
  };
  return ({ provider }) => {
    const urn = typeof provider === "string" ? provider.slice(0, Math.max(0, provider.lastIndexOf("::"))) : "";
    return urn === "" || /::default(_[\w.]+)?$/.test(urn) ? defaultProvider : follow(urn);
  };
}
