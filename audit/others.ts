import type { Bag } from "../framework/lifecycle";
import { defined } from "../values/defined";

/**
 * A custom resource of another type: of another provider, a dynamic one that somebody wrote, or another noun of ours. If its id is that
 * of a token, its program manages the token.
 */
export interface OtherResource {
  readonly id: string;
  readonly type: string;
  readonly urn: string;
  /** The engine deleted it, and has not created its successor. */
  readonly awaits?: "successor";
}

/** The other resources of a state. A lookup declares nothing, nor does a resource that only awaits its deletion. */
export const othersOf = (resources: readonly Bag[], isToken: (resource: Bag) => boolean): OtherResource[] =>
  resources.flatMap((resource) => {
    const { custom, id, type, urn, external, delete: isOld, pendingReplacement } = resource;
    if (custom !== true || external === true || isOld === true || isToken(resource)) return [];
    if (![id, type, urn].every((text) => typeof text === "string" && text !== "")) return [];
    const awaits = pendingReplacement === true ? ("successor" as const) : undefined;
    return [{ id: String(id), type: String(type), urn: String(urn), ...defined({ awaits }) }];
  });
