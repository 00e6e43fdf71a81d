/** Inputs that no program declares: every adapter adds them, since hooks of dynamic providers learn neither. */
export interface Hints {
  /** Tells the resource from every other of its kind in its stack: see `keyOfUrn`. */
  readonly key: string;
  /** The inputs that are secret, in whole or in part, by name or by the path of a definition's `secretPaths`. */
  readonly secretInputs?: readonly string[];
}

/**
 * The key of a resource: its logical name, and in a component the types of its parents before it. A URN
 * (`urn:pulumi:STACK::PROJECT::PARENTS$TYPE::NAME`) is unique in a stack, so this is unique for one type. It is
 * the same in every form of the resource, although the type is not.
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
