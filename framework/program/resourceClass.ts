import * as pulumi from "@pulumi/pulumi";
import type { ResourceDefinition } from "../definition";
import type { Bag } from "../lifecycle";
import type { ProviderPackage } from "../package";
import { register } from "./registration";

/** A class that programs import. */
export type ResourceClass<Args, Outputs> = new (
  name: string,
  // biome-ignore lint/complexity/noBannedTypes: asks whether every argument can be left out
  ...rest: {} extends Args
    ? [args?: Args, options?: pulumi.CustomResourceOptions]
    : [args: Args, options?: pulumi.CustomResourceOptions]
) => pulumi.CustomResource & Outputs;

/** What a constructor changes before the resource is registered. */
export interface Prepared {
  /** Arguments that reach the engine in another form, and inputs that the constructor makes. */
  readonly instead?: object;
  readonly options?: pulumi.CustomResourceOptions;
}

/**
 * The class of a resource, to be extended without a constructor or a field of its own: the SDK counts the constructors above it to
 * find the line of the program that declares a resource, and Node.js leaves out those that nobody wrote.
 */
export function resourceClass<Args extends object, Outputs extends object>(
  own: ProviderPackage,
  definition: ResourceDefinition,
  prepare: (name: string, args: Args, options: pulumi.CustomResourceOptions) => Prepared = () => ({}),
): ResourceClass<Args, Outputs> {
  class Declared extends pulumi.CustomResource {
    constructor(name: string, args = {} as Args, options: pulumi.CustomResourceOptions = {}) {
      const prepared = prepare(name, args, options);
      using registration = register(own, definition, { name, args, options, ...prepared });
      try {
        super(...registration.args);
      } catch (failure) {
        throw registration.complete(failure);
      }
    }
  }
  for (const [name, { from, derives }] of Object.entries(definition.properties))
    if (from) defineGetter(Declared.prototype, name, from, derives === undefined);
  return Declared as unknown as ResourceClass<Args, Outputs>;
}

/** An output that the engine does not record, or not in each case: what it records is assigned by the SDK. */
function defineGetter(
  prototype: object,
  name: string,
  [keys, compute]: readonly [readonly string[], (values: never) => unknown],
  isPlain: boolean,
): void {
  const recorded = new WeakMap<object, unknown>();
  Object.defineProperty(prototype, name, {
    configurable: true,
    enumerable: true,
    get(this: Bag) {
      const sources = keys.map((key) => (key === name ? recorded.get(this) : this[key]));
      const found = pulumi
        .all(sources)
        .apply((values) => compute(Object.fromEntries(keys.map((key, index) => [key, values[index]])) as never));
      return isPlain ? pulumi.unsecret(found) : found;
    },
    set(this: object, value: unknown) {
      recorded.set(this, value);
    },
  });
}
