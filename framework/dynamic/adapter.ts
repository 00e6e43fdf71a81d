import type { dynamic } from "@pulumi/pulumi";
import { asJson, isSame } from "../compare";
import { namesWhere, type ResourceDefinition } from "../definition";
import { decode, encode } from "../engineValues";
import { Hooks } from "../hooks";
import type { Host, HostedResource } from "../host";
import { type Bag, isPartialCreate } from "../lifecycle";
import { providerKey } from "../package";
import { join, split } from "../record";

/** Translates between the engine's host of dynamic providers and the hooks of a resource. */
export function dynamicProvider<Planning extends object, Service extends object>(
  host: Host<Planning, Service>,
  resource: HostedResource<Planning, Service>,
): Required<dynamic.ResourceProvider> {
  const { definition } = resource;
  const hooks = new Hooks(resource, host);
  const stateOf = (properties: Bag) => join(definition, withoutDerived(definition, withoutProvider(properties)));
  const outputsOf = (state: object) => toProperties(definition, state as Bag);

  return {
    async configure({ config }) {
      host.configure(config);
    },

    async check(olds: Bag | undefined, news: Bag) {
      const declared = withoutProvider(news);
      const { inputs, reasons } = await hooks.check(withoutProvider(olds ?? {}), declared, host.tell);
      // The engine marks the declared secrets, but no other values. For a failure with a property it prints the value of the
      // property, even a secret one.
      const { values, secrets } = split(definition, inputs);
      const own = secrets.filter((name) => news[name] === undefined);
      return { inputs: encode(values, own), failures: reasons.map((reason) => ({ property: "", reason })) };
    },

    async diff(id, olds: Bag, news: Bag) {
      const { changes, replaces } = await hooks.diff(id, stateOf(olds), withoutProvider(news), host.tell);
      return { changes, replaces: [...replaces] };
    },

    async create(inputs: Bag) {
      try {
        const { id, state } = await hooks.create(withoutProvider(inputs));
        return { id, outs: outputsOf(state) };
      } catch (e) {
        throw asKept(outputsOf, e, inputs);
      }
    },

    async read(id, olds?: Bag) {
      const recorded = stateOf(olds ?? {});
      const found = await hooks.read(id, recorded);
      if (!found) return { id: "" };
      const props = outputsOf(found.state);
      if (!found.inputs || isSame(asJson, found.state, recorded)) return { id, props };
      return { id, props, inputs: outputsOf(found.inputs) };
    },

    async update(id, olds: Bag, news: Bag) {
      try {
        return { outs: outputsOf(await hooks.update(id, stateOf(olds), withoutProvider(news))) };
      } catch (e) {
        throw asKept(outputsOf, e, news);
      }
    },

    async delete(id, olds: Bag) {
      await hooks.delete(id, stateOf(olds));
    },
  };
}

/** A failure with an id makes the engine keep the resource with these properties. */
function asKept(outputsOf: (state: object) => Bag, failure: unknown, inputs: Bag): unknown {
  if (!isPartialCreate(failure)) return failure;
  const properties = { ...outputsOf(failure.state), [providerKey]: inputs[providerKey] };
  // Not enumerable: a printed error must not show a secret among the properties.
  return Object.defineProperties(new Error(failure.message), {
    id: { value: failure.id },
    properties: { value: properties },
    reasons: { value: [failure.message] },
  });
}

function toProperties(definition: ResourceDefinition, state: Bag): Bag {
  const { values, secrets } = split(definition, state);
  return encode(values, secrets);
}

/** The properties without the stored provider string, their unknown markers turned into the lifecycle's. */
function withoutProvider(properties: Bag): Bag {
  const { [providerKey]: _, ...rest } = properties;
  return decode(rest);
}

/** The properties without those that only the plugin records. */
function withoutDerived(definition: ResourceDefinition, properties: Bag): Bag {
  const derived = namesWhere(definition, ({ kind }) => kind === "derived");
  return Object.fromEntries(Object.entries(properties).filter(([name]) => !derived.includes(name)));
}
