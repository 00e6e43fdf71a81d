import type { dynamic } from "@pulumi/pulumi";
import { asJson, isSame } from "../lifecycle/compare";
import { isPartialCreate, type Lifecycle, type SecretNames } from "../lifecycle/contract";
import { Connection } from "../session/connection";
import { engineAddress } from "../session/engineAddress";
import { Hooks } from "../session/hooks";
import { inform, warn } from "./engineLog";
import { fromEngine, markSecrets, toEngine } from "./engineMarks";
import { providerKey } from "./strings";

type Bag = Record<string, unknown>;

/**
 * A lifecycle as the dynamic provider that the engine's host loads. Only translates: unknown markers, the stored provider
 * string among the properties, settings, warnings, partial creates.
 */
export function dynamicProvider<Inputs extends object, State extends Inputs>(
  lifecycle: Lifecycle<Inputs, State>,
): Required<dynamic.ResourceProvider> {
  const tell = { warn, inform };
  const connection = new Connection(tell, engineAddress());
  const hooks = new Hooks(lifecycle, connection);

  return {
    async configure({ config }) {
      connection.configure(config);
    },

    async check(olds: Bag | undefined, news: Bag) {
      const { inputs, reasons } = await hooks.check(withoutProvider(olds ?? {}), withoutProvider(news), tell);
      // For a failure with a property the engine prints the property's value, also where that is a secret.
      // Of what the program declares the engine itself keeps what is secret; not of what stays of an earlier program.
      const kept = (inputs as SecretNames).secretInputs?.filter((key) => news[key] === undefined) ?? [];
      return {
        inputs: markSecrets(toEngine(inputs), kept),
        failures: reasons.map((reason) => ({ property: "", reason })),
      };
    },

    async diff(id, olds: Bag, news: Bag) {
      const [state, inputs] = [withoutProvider(olds) as State, withoutProvider(news) as Inputs];
      const { changes, replaces } = await hooks.diff(id, state, inputs, tell);
      return { changes, replaces: [...replaces] };
    },

    async create(inputs: Bag) {
      try {
        const { id, state } = await hooks.create(withoutProvider(inputs) as Inputs);
        return { id, outs: toOutputs(lifecycle, state) };
      } catch (e) {
        throw asKept(lifecycle, e, inputs);
      }
    },

    async read(id, olds?: Bag) {
      const recorded = withoutProvider(olds ?? {}) as Partial<State>;
      const found = await hooks.read(id, recorded);
      if (!found) return { id: "" };
      const props = toOutputs(lifecycle, found.state);
      // Of an object that is as it was recorded, the inputs are what they were: the engine keeps those that it has.
      if (!found.inputs || isSame(asJson, found.state, recorded)) return { id, props };
      return { id, props, inputs: toOutputs(lifecycle, found.inputs) };
    },

    async update(id, olds: Bag, news: Bag) {
      try {
        const state = await hooks.update(id, withoutProvider(olds) as State, withoutProvider(news) as Inputs);
        return { outs: toOutputs(lifecycle, state) };
      } catch (e) {
        throw asKept(lifecycle, e, news);
      }
    },

    async delete(id, olds: Bag) {
      await hooks.delete(id, withoutProvider(olds) as State);
    },
  };
}

/** A failure with an id makes the engine keep the resource, with these properties, as one that has to be dealt with. */
function asKept(lifecycle: DerivesSecrets, failure: unknown, inputs: Bag): unknown {
  if (!isPartialCreate(failure)) return failure;
  const properties = { ...toOutputs(lifecycle, failure.state), [providerKey]: inputs[providerKey] };
  // Not enumerable: who prints the error must not print what is secret among the properties.
  return Object.defineProperties(new Error(failure.message), {
    id: { value: failure.id },
    properties: { value: properties },
    reasons: { value: [failure.message] },
  });
}

type DerivesSecrets = Pick<Lifecycle<object, object>, "derivedSecrets">;

/** What is recorded. What bears the name of a secret input the engine itself encrypts; what is derived from one it cannot know. */
const toOutputs = (lifecycle: DerivesSecrets, state: object): Bag =>
  markSecrets(toPlain(state), lifecycle.derivedSecrets?.(state) ?? []);

/** The properties without the stored provider string, their unknown markers turned into the lifecycle's. */
function withoutProvider(properties: Bag): Bag {
  const { [providerKey]: _, ...rest } = properties;
  return fromEngine(rest);
}

/** A copy that the engine's encoding takes: one with an `undefined` in it fails after the object was created. */
const toPlain = (value: object): Bag => JSON.parse(JSON.stringify(value));
