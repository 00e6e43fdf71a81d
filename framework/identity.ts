/** Inputs that every adapter adds: the engine does not tell them to hooks of dynamic providers. */
export interface Hints {
  /** Unique among the resources of a kind in a stack: see `keyOfUrn`. */
  readonly key: string;
  /** The inputs that are secret, in whole or in part, by name or by the path of a definition's `secretPaths`. */
  readonly secretInputs?: readonly string[];
}

/**
 * The key of a resource: the types of its parents, and its logical name. A URN is `urn:pulumi:STACK::PROJECT::PARENTS$TYPE::NAME`.
 * Without the type the key is the same in every form of the resource.
 */
export function keyOfUrn(urn: string): string {
  const [, , types = "", ...name] = urn.split("::");
  const parents = types
    .split("$")
    .slice(0, -1)
    .filter((type) => type !== stackType);
  return [...(parents.length > 0 ? [parents.join("$")] : []), ...name].join("::");
}

/** A resource whose parent is the stack is at the top; only some URNs that the SDK makes itself name the stack. */
const stackType = "pulumi:pulumi:Stack";

/** The logical name in a key. */
export const logicalNameOf = (key: string): string => key.split("::").at(-1) ?? key;

/** Whether an input was declared as a secret. */
export const isSecretInput = ({ secretInputs }: Pick<Hints, "secretInputs">, ...names: readonly string[]): boolean =>
  secretInputs !== undefined && names.some((name) => secretInputs.includes(name));
