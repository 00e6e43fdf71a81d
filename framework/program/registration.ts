import type * as pulumi from "@pulumi/pulumi";
import { defined } from "../../values/defined";
import { withPrintableFailures } from "../../values/printable";
import { type KeysOf, membersOf, type ResourceDefinition, type Table } from "../definition";
import type { Bag } from "../lifecycle";
import { dynamicToken, type ProviderPackage, providerKey, storedProvider } from "../package";
import { requireDirectDependency } from "./directDependency";
import { findKey, findSecretInputs } from "./hints";

/** The members that a resource's class has to declare. */
export type OutputsOf<Definition extends { readonly properties: Table }> = Readonly<
  Record<KeysOf<Definition["properties"], "argument" | "output">, pulumi.Output<unknown>>
>;

/** A declaration of a resource in a program. */
export interface Declaration {
  readonly name: string;
  /** As the program gives them: their secrecy is that of the inputs. */
  readonly args: object;
  /** Arguments that reach the engine in another form, and inputs that the constructor makes. */
  readonly instead?: object;
  readonly options: pulumi.CustomResourceOptions;
}

/**
 * The arguments of the SDK's constructor, for all resources. Not a class between theirs and the SDK's: the engine records where
 * a resource was declared, and counts classes to find the program's line.
 * @throws Error if the program does not depend on the package directly, or for the option `import`
 */
export function register(
  own: ProviderPackage,
  definition: ResourceDefinition,
  { name, args, instead = {}, options }: Declaration,
): ConstructorParameters<typeof pulumi.CustomResource> {
  requireDirectDependency(own, definition);
  refuseImport(definition, name, options);
  // A property makes an output only if it is there, if without a value. An output takes 5 kB until it is resolved.
  const absent = Object.fromEntries(membersOf(definition).map((key) => [key, undefined]));
  const values = {
    ...args,
    ...instead,
    key: findKey(own, definition, name, options),
    secretInputs: findSecretInputs(definition, args as Bag),
  };
  const inputs = { ...absent, ...defined(values), [providerKey]: storedProvider(own, definition) };
  return [dynamicToken(own, definition.name), name, inputs, options];
}

/** The engine would fail without saying why: dynamic resources cannot be imported. */
const refuseImport = withPrintableFailures(
  ({ name: type, insteadOfImport }: ResourceDefinition, name: string, options: pulumi.CustomResourceOptions): void => {
    if (options.import === undefined) return;
    throw new Error(`${type} "${name}": the option import does not work for this resource: ${insteadOfImport}`);
  },
);
