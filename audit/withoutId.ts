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

/** How to repair the stack, as the last words of a finding. Text in a URN that a shell could take for more is not quoted. */
export function describeRepair({ declaration: { urn }, isNeeded }: ResourceWithoutId): string {
  const isBlocked = "its onError hook never returned false, so no update of the stack can run";
  return isNeeded || /['\p{C}]/u.test(urn)
    ? `${isBlocked}: pulumi-event-datasets recover prints the commands that repair it`
    : `${isBlocked} until you run: pulumi state delete --disable-integrity-checking '${urn}'`;
}
