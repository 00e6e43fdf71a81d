import type { dynamic } from "@pulumi/pulumi";
import { checkInputs } from "../lifecycle/check";
import { isPartialCreate, type Lifecycle } from "../lifecycle/contract";
import { Connection } from "../session/connection";
import { inform, warn } from "./engineLog";
import { providerKey } from "./strings";
import { fromEngine, toEngine } from "./unknowns";

type Bag = Record<string, unknown>;

/**
 * A lifecycle as the dynamic provider that the engine's host loads. Only translates: unknown markers, the stored provider
 * string among the properties, settings, warnings, partial creates.
 */
export function dynamicProvider<Inputs extends object, State extends Inputs>(
  lifecycle: Lifecycle<Inputs, State>,
): Required<dynamic.ResourceProvider> {
  const connection = new Connection({ warn, inform }, process.argv[2]);
  // The inputs that were checked in this process: those of an update are, those that a refresh compares are not.
  const checked = new Set<string>();

  return {
    async configure({ config }) {
      connection.configure(config);
    },

    async check(olds: Bag | undefined, news: Bag) {
      const result = checkInputs(lifecycle, withoutProvider(olds ?? {}), withoutProvider(news), connection.plan(true));
      checked.add(identityOf(result.inputs));
      await tellOnce(warn, result.warnings);
      await tellOnce(inform, result.notes);
      const found = connection.settings();
      const rehearsed = result.failures.length > 0 ? [] : ((await lifecycle.rehearse?.(result.inputs)) ?? []);
      const missing = "problems" in found ? found.problems.map(({ reason }) => reason) : [];
      const reasons = [
        ...[...result.failures, ...rehearsed].map(({ property, reason }) => `${property} ${reason}`),
        ...missing,
      ];
      // For a failure with a property the engine prints the property's value, also where that is a secret.
      return { inputs: toEngine(result.inputs), failures: reasons.map((reason) => ({ property: "", reason })) };
    },

    async diff(id, olds: Bag, news: Bag) {
      const inputs = withoutProvider(news) as Inputs;
      const plan = connection.plan(checked.has(identityOf(inputs)));
      const { changes, replaces, notice } = lifecycle.diff(id, withoutProvider(olds) as State, inputs, plan);
      const isTrusted = plan.updating && !changes && plan.here !== undefined;
      const doubt = isTrusted && (await lifecycle.verify?.(connection.session(), id, withoutProvider(olds) as State));
      await tellOnce(warn, [notice, doubt]);
      return { changes, replaces: [...replaces] };
    },

    async create(inputs: Bag) {
      try {
        const { id, state } = await connection.run((session) =>
          lifecycle.create(session, withoutProvider(inputs) as Inputs),
        );
        return { id, outs: toPlain(state) };
      } catch (e) {
        throw asKept(e, inputs);
      }
    },

    async read(id, olds?: Bag) {
      const state = withoutProvider(olds ?? {}) as Partial<State>;
      const found = await connection.run((session) => lifecycle.read(session, id, state));
      if (!found) return { id: "" };
      return { id, props: toPlain(found.state), ...(found.inputs ? { inputs: toPlain(found.inputs) } : {}) };
    },

    async update(id, olds: Bag, news: Bag) {
      const [state, inputs] = [withoutProvider(olds) as State, withoutProvider(news) as Inputs];
      try {
        return { outs: toPlain(await connection.run((session) => lifecycle.update(session, id, state, inputs))) };
      } catch (e) {
        throw asKept(e, news);
      }
    },

    async delete(id, olds: Bag) {
      const state = withoutProvider(olds) as State;
      await connection.run((session) => lifecycle.delete(session, id, state));
    },
  };
}

const told = new Set<string>();

/** The engine checks a resource that is replaced twice, and a user is told once. */
async function tellOnce(
  tell: (message: string) => Promise<void>,
  messages: readonly (string | false | undefined)[] = [],
): Promise<void> {
  for (const message of messages) {
    if (!message || told.has(message)) continue;
    told.add(message);
    await tell(message);
  }
}

/** A failure with an id makes the engine keep the resource, with these properties, as one that has to be dealt with. */
function asKept(failure: unknown, inputs: Bag): unknown {
  if (!isPartialCreate(failure)) return failure;
  const properties = { ...toPlain(failure.state), [providerKey]: inputs[providerKey] };
  // Not enumerable: who prints the error must not print what is secret among the properties.
  return Object.defineProperties(new Error(failure.message), {
    id: { value: failure.id },
    properties: { value: properties },
    reasons: { value: [failure.message] },
  });
}

/** The properties without the stored provider string, their unknown markers turned into the lifecycle's. */
function withoutProvider(properties: Bag): Bag {
  const { [providerKey]: _, ...rest } = properties;
  return fromEngine(rest);
}

/** The same text for the same inputs, in whatever order the engine hands their members over. */
const identityOf = (inputs: object): string =>
  JSON.stringify(toEngine(inputs), (_, value) =>
    value instanceof Object && !Array.isArray(value) ? Object.fromEntries(Object.entries(value).sort()) : value,
  );

/** A copy that the engine's encoding takes: one with an `undefined` in it fails after the object was created. */
const toPlain = (value: object): Bag => JSON.parse(JSON.stringify(value));
