import type { Bag } from "../framework/lifecycle";
import type { Declaration } from "./findings";

/**
 * A custom resource that a state has without an id. The engine (3.276.0) records one if a create fails partially and an `onError` hook
 * then asks for all 100 attempts. From then on every preview, update, refresh and destroy of the stack fails.
 */
export interface ResourceWithoutId {
  readonly declaration: Declaration;
  /** Another resource has its URN, or depends on it: `pulumi state delete` refuses to remove it. */
  readonly isNeeded: boolean;
}

/** The engine accepts a resource without an id that it is about to delete. */
export const lacksId = ({ custom, id, delete: isOld }: Bag): boolean =>
  custom === true && (id === undefined || id === "") && isOld !== true;

/** Whether a resource names the URN of another one: as its own, or as that of a resource that it needs. */
export function namesUrn(resource: Bag, urn: unknown): boolean {
  const { parent, dependencies, propertyDependencies, deletedWith, replaceWith } = resource;
  const perProperty = Object.values((propertyDependencies ?? {}) as Bag);
  return [resource.urn, parent, deletedWith, dependencies, replaceWith, perProperty].flat(2).includes(urn);
}

/** The last words of a finding about a create whose resource has no id. */
export const describeRepair = ({ recorded }: { readonly recorded?: ResourceWithoutId }): string =>
  recorded === undefined
    ? ""
    : "; its onError hook never returned false, so no update of the stack can run: pulumi-event-datasets recover prints the commands that repair it";
