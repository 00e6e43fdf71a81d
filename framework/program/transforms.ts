import * as pulumi from "@pulumi/pulumi";
import { asJson, isSame } from "../compare";
import { inputsOf, type ResourceDefinition, withoutHints } from "../definition";
import { decodeValue } from "../engineValues";
import { secretsOfAll } from "../identity";
import type { Bag } from "../lifecycle";
import { dynamicToken, type ProviderPackage } from "../package";
import { findDeleteOptions, findSecretInputs } from "./hints";

/** Members of the SDK's objects that its types do not show. */
interface Inside {
  readonly __transformations?: readonly unknown[];
}
interface Globals {
  readonly asyncLocalStorage?: {
    readonly getStore: () => object | undefined;
    readonly enterWith: (store: object) => void;
  };
}

/**
 * A transform can add a secret after the constructor ran, and hooks cannot see which values are secret. So this function
 * appends a transform that recomputes `secretInputs`; it also keeps the key out of `ignoreChanges`. Transforms of parents and
 * of the stack run after it, where no code of the program can see their result.
 */
export function followTransforms(
  own: ProviderPackage,
  definition: ResourceDefinition,
  options: pulumi.CustomResourceOptions,
): pulumi.CustomResourceOptions {
  const { transforms = [], transformations = [] } = options;
  const above = (options.parent ?? pulumi.runtime.getStackResource()) as (pulumi.Resource & Inside) | undefined;
  const count = transforms.length + transformations.length + (above?.__transformations ?? []).length;
  if (count === 0 || isMocked()) return options;
  const { asyncLocalStorage } = globalThis as Globals;
  const store = asyncLocalStorage?.getStore();
  const complete: pulumi.ResourceTransform = async ({ type, props, opts }) => {
    // In an inline program of the Automation API the SDK calls transforms outside of the program's context, and then drops the marks
    // of all secrets in their results.
    if (store) asyncLocalStorage?.enterWith(store);
    if (type !== dynamicToken(own, definition.name)) return undefined;
    const ignoring = ignoreArguments(definition, opts);
    const secrets = await findSecretProps(definition, props);
    const deleteOptions = findDeleteOptions(definition, opts);
    if (!ignoring && !secrets && isSame(asJson, deleteOptions, props.deleteOptions)) return undefined;
    // If a transform returns no options, the SDK keeps all of them; otherwise only those that it can translate.
    const changed = {
      props: { ...(secrets ?? props), deleteOptions },
      ...(ignoring && { opts: { ...opts, ...ignoring } }),
    };
    return changed as Partial<pulumi.ResourceTransformResult> as pulumi.ResourceTransformResult;
  };
  return { ...options, transforms: [...transforms, complete] };
}

/** A user's unit test runs no hooks, and the mocks of SDK 3.216 refuse transforms. */
export const isMocked = (): boolean => "mocks" in (pulumi.runtime.getMonitor() ?? {});

/**
 * `ignoreChanges: ["*"]` means all arguments. The engine would also copy the earlier key, so that after a rename the resource
 * would be confused with another one that now has its old name. The recorded options would not change either. The plugin gets
 * the key from the URN.
 * @returns undefined: the option does not say so
 */
export function ignoreArguments(
  definition: ResourceDefinition,
  { ignoreChanges = [] }: pulumi.ResourceOptions,
): Pick<pulumi.ResourceOptions, "ignoreChanges"> | undefined {
  if (!ignoreChanges.includes("*")) return undefined;
  const named = [...ignoreChanges, ...inputsOf(definition)].filter(
    (name) => !["*", "key", "deleteOptions"].includes(name),
  );
  return { ignoreChanges: [...new Set(named)] };
}

/** Adds the hint `secretInputs` to the arguments. Returns undefined if none of them can be a secret. */
async function findSecretProps(definition: ResourceDefinition, props: Bag): Promise<Bag | undefined> {
  const found = await findSecretInputs(definition, withoutHints(definition, props));
  if (found === undefined) return undefined;
  const merge = (declared: unknown) =>
    secretsOfAll({ secretInputs: decodeValue(declared) }, { secretInputs: found }).secretInputs;
  return { ...props, secretInputs: pulumi.output(props.secretInputs as pulumi.Input<object>).apply(merge) };
}
