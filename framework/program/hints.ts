import * as pulumi from "@pulumi/pulumi";
import { isObject } from "../../values/json";
import type { ResourceDefinition } from "../definition";
import { holdsSecret, isMarkedSecret } from "../engineValues";
import { keyOfUrn, secretCandidates, secretsOfAll } from "../identity";
import type { Bag } from "../lifecycle";
import { dynamicToken, type ProviderPackage } from "../package";
import { hasPart } from "../unknown";

/** The key of a resource: hooks of dynamic providers do not get its URN. */
export function findKey(
  own: ProviderPackage,
  { name: type }: ResourceDefinition,
  name: string,
  { parent }: pulumi.CustomResourceOptions,
): string | pulumi.Output<string> {
  if (parent === undefined) return name;
  const urn = pulumi.createUrn(name, dynamicToken(own, type), parent);
  // A promise, not an output: an output of the parent would make the resource depend on its component, and so on itself.
  return pulumi.output(new Promise<string>((resolve) => void urn.apply(resolve)).then(keyOfUrn));
}

/** The hint `secretInputs`, which hooks need because they get plain values. Undefined if no argument can be secret. */
export function findSecretInputs(
  definition: ResourceDefinition,
  args: Bag,
): Promise<readonly string[] | undefined> | undefined {
  const open = secretCandidates(definition, args, isWhole).filter(([, value]) => canBeSecret(value));
  if (open.length === 0) return undefined;
  return Promise.all(open.map(async ([hint, value]) => ((await isSecret(value)) ? [hint] : []))).then(
    (hints) => secretsOfAll({ secretInputs: hints.flat() }).secretInputs,
  );
}

/**
 * The hint `deleteOptions`, if the definition has it: the options that let the engine drop an object without calling a hook.
 * @returns undefined: none is set
 */
export function findDeleteOptions(
  { properties }: ResourceDefinition,
  { retainOnDelete, deletedWith }: pulumi.ResourceOptions,
): readonly string[] | undefined {
  if (!Object.hasOwn(properties, "deleteOptions")) return undefined;
  const options = [...(retainOnDelete ? ["retainOnDelete"] : []), ...(deletedWith ? ["deletedWith"] : [])];
  return options.length > 0 ? options : undefined;
}

/** Outputs, promises and, in transforms, values with the engine's marks. */
const isWhole = (value: unknown): boolean =>
  pulumi.Output.isInstance(value) || value instanceof Promise || isMarkedSecret(value);

/** Whether a part of a value can be a secret: only an output, a promise or a mark can. */
const canBeSecret = (value: unknown): boolean => hasPart(value, (part) => isWhole(part) || isInstance(part));

const isInstance = (part: unknown): boolean =>
  isObject(part) && ![Object.prototype, null].includes(Object.getPrototypeOf(part));

/** A value that fails shows where it is used. */
const isSecret = async (value: unknown): Promise<boolean> =>
  pulumi
    .isSecret(pulumi.output(value))
    .then((isOutputSecret) => isOutputSecret || holdsSecret(value))
    .catch(() => false);
