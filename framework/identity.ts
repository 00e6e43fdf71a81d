/** Inputs that every adapter adds, because the engine does not pass this information to hooks of dynamic providers. */
export interface Hints {
  /** Unique among the resources of a kind in a stack: see `keyOfUrn`. */
  readonly key: string;
  /** The names of the inputs that are secret, in whole or in part. */
  readonly secretInputs?: readonly string[];
}

/** The parts of a URN, `urn:pulumi:STACK::PROJECT::PARENTS$TYPE::NAME`. */
export function readUrn(urn: string) {
  const [head = "", project = "", types = "", ...name] = urn.split("::");
  // A resource whose parent is the stack is at the top; only some URNs that the SDK makes itself name the stack.
  const parents = types.split("$").filter((type) => type !== "pulumi:pulumi:Stack");
  const type = parents.pop() ?? "";
  return { stack: head.slice("urn:pulumi:".length), project, parents, type, name: name.join("::") };
}

/** The key of a resource: the types of its parents and its logical name. Its own type differs between the forms. */
export function keyOfUrn(urn: string): string {
  const { parents, name } = readUrn(urn);
  return parents.length > 0 ? `${parents.join("$")}::${name}` : name;
}

/** The logical name in a key. */
export const logicalNameOf = (key: string): string => key.split("::").at(-1) ?? key;

/** Combines the hints of several inputs: what is secret in one of them is secret. They may be raw, as `check` gets them. */
export function secretsOfAll(...inputs: readonly { readonly secretInputs?: unknown }[]): Pick<Hints, "secretInputs"> {
  const keys = inputs.flatMap(({ secretInputs }) => (Array.isArray(secretInputs) ? secretInputs : []));
  return keys.length > 0 ? { secretInputs: [...new Set(keys)].sort() } : {};
}

/**
 * Adds the hint of earlier values to the values that a lifecycle made of them, because it may have left out the hint. A secret
 * stays a secret as long as the object lives: a value that derives from it can be in the record or in an output.
 */
export const keepSecrets = <T extends object>(earlier: Partial<Hints>, made: T): T => ({
  ...made,
  ...secretsOfAll(earlier, made as Partial<Hints>),
});

/** Whether an input was declared as a secret. */
export const isSecretInput = ({ secretInputs }: Pick<Hints, "secretInputs">, ...names: readonly string[]): boolean =>
  secretInputs !== undefined && names.some((name) => secretInputs.includes(name));

/** Whether any input was declared as a secret, so that everything that can derive from an input is secret. */
export const hasSecretInput = (...values: readonly Pick<Hints, "secretInputs">[]): boolean =>
  values.some(({ secretInputs = [] }) => secretInputs.length > 0);

/**
 * The values whose secrecy determines the hint `secretInputs`, each with its own hint: one rule for both forms.
 * @param isWhole whether a value cannot be looked into, so that it stands for each of its members
 */
export function secretCandidates(
  { properties }: { readonly properties: Readonly<Record<string, { readonly parts?: object }>> },
  args: Readonly<Record<string, unknown>>,
  isWhole: (value: unknown) => boolean,
): [hint: string, value: unknown][] {
  return Object.entries(args).map(([name, value]) => {
    const parts = Object.hasOwn(properties, name) ? properties[name]?.parts : undefined;
    if (parts === undefined || isWhole(value) || typeof value !== "object" || value === null) return [name, value];
    return [name, Object.fromEntries(Object.entries(value).filter(([part]) => !Object.hasOwn(parts, part)))];
  });
}
