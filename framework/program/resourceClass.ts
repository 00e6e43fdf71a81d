import * as pulumi from "@pulumi/pulumi";
import type { ResourceDefinition } from "../definition";
import type { Bag } from "../lifecycle";
import type { ProviderPackage } from "../package";
import { type Lookup, optionsOfLookup, register } from "./registration";

/** The class of a resource, as programs use it. */
export interface ResourceClass<Args extends object, Outputs extends object> {
  /**
   * @param name logical name of the resource in the program
   * @throws Error if the program does not depend on this package directly
   */
  new (name: string, ...rest: ArgsAndOptions<Args>): pulumi.CustomResource & Outputs;
}

/** The arguments can be left out if none of them is required. */
type ArgsAndOptions<Args extends object> =
  Partial<Args> extends Args
    ? [args?: Args, options?: pulumi.CustomResourceOptions]
    : [args: Args, options?: pulumi.CustomResourceOptions];

/** The class of a resource that can be read. */
export interface ReadableClass<Args extends object, Outputs extends object> extends ResourceClass<Args, Outputs> {
  /**
   * Looks up an existing object by its id, without managing it. Unlike the `get` of a generated class, it takes no `state`.
   * @param name logical name of the resource in the program
   */
  get(
    name: string,
    id: pulumi.Input<pulumi.ID>,
    options?: pulumi.CustomResourceOptions,
  ): pulumi.CustomResource & Outputs;
}

/**
 * Makes the class of a resource. A hand-written class with more methods calls `register` in the same way. Not a base class: the
 * SDK counts the classes above a resource to find the line of the program that declares it.
 * @param more inputs that the program adds, and work for a new resource
 */
export function resourceClass<Args extends object, Outputs extends object>(
  own: ProviderPackage,
  definition: ResourceDefinition,
  more: { readonly instead?: () => object; readonly declared?: (resource: pulumi.Resource) => void } = {},
): ReadableClass<Args, Outputs> {
  class Declared extends pulumi.CustomResource {
    constructor(name: string, args = {} as Args, options: pulumi.CustomResourceOptions = {}) {
      using registration = register(own, definition, { name, args, instead: more.instead?.() ?? {}, options });
      try {
        super(...registration.args);
      } catch (failure) {
        throw registration.complete(failure);
      }
      more.declared?.(this);
    }

    static get(name: string, ...lookup: Lookup) {
      return new this(name, {} as Args, optionsOfLookup(...lookup));
    }
  }
  Object.defineProperty(Declared, "name", { value: definition.name });
  deriveOutputs(Declared, definition);
  return Declared as unknown as ReadableClass<Args, Outputs>;
}

/** Gives a class the outputs that the engine never records, or not always. The SDK assigns those that it records. */
export function deriveOutputs({ prototype }: { readonly prototype: object }, { properties }: ResourceDefinition): void {
  for (const [name, { from, derives }] of Object.entries(properties)) {
    if (!from) continue;
    const [keys, compute] = from;
    const recorded = new WeakMap<object, unknown>();
    Object.defineProperty(prototype, name, {
      configurable: true,
      get(this: Bag) {
        const sources = keys.map((key) => (key === name ? recorded.get(this) : this[key]));
        const found = pulumi
          .all(sources)
          .apply((values) => compute(Object.fromEntries(keys.map((key, index) => [key, values[index]])) as never));
        return derives === undefined ? pulumi.unsecret(found) : found;
      },
      set(this: object, value: unknown) {
        recorded.set(this, value);
      },
    });
  }
}
