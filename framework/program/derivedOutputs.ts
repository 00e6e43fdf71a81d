import * as pulumi from "@pulumi/pulumi";
import type { ResourceDefinition } from "../definition";
import type { Bag } from "../lifecycle";

/** Gives a class the outputs that the engine does not record, or not in each case; what it records is assigned by the SDK. */
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
