import { setTimeout as sleep } from "node:timers/promises";
import type { dynamic } from "@pulumi/pulumi";
import { EventDatasets, hasOperation, resolveSettings, type SettingsResult } from "../../sdk";
import { isPartialCreate, type Lifecycle, type Plan, type Session } from "../lifecycle/lifecycle";
import { inform, warn } from "./engineLog";
import { settingsSources } from "./settings";
import { configNamespace, explicitProviderKey, providerKey } from "./strings";
import { fromEngine, toEngine } from "./unknowns";

type Bag = Record<string, unknown>;

/**
 * A lifecycle as the dynamic provider that the engine's host loads. Only translates: unknown markers, the stored provider
 * string among the properties, settings, partial creates.
 */
export function dynamicProvider<Inputs extends object, State extends Inputs>(
  lifecycle: Lifecycle<Inputs, State>,
): Required<dynamic.ResourceProvider> {
  let config: Pick<dynamic.Config, "get"> = { get: () => undefined };
  let session: Session | undefined;

  const settings = (): SettingsResult =>
    resolveSettings(settingsSources(config.get(explicitProviderKey), (key) => config.get(`${configNamespace}:${key}`)));

  const plan = planOf(settings);

  /** Connects at the first hook that needs it: the host caches a provider before `configure`, which must not throw. */
  const connect = (): Session => {
    if (session) return session;
    const result = settings();
    if ("problems" in result) throw new Error(result.problems.map((p) => p.reason).join("; "));
    session = { client: new EventDatasets(result.settings), warn, inform, now: () => new Date(), sleep };
    return session;
  };

  return {
    // No `await` in here: the host calls other hooks while it waits for this one.
    async configure(request) {
      config = request.config;
    },

    async check(olds: Bag | undefined, news: Bag) {
      const { inputs, failures } = lifecycle.check(withoutProvider(olds ?? {}), withoutProvider(news), plan);
      const found = settings();
      const missing = "problems" in found ? found.problems.map(({ reason }) => reason) : [];
      const reasons = [...failures.map(({ property, reason }) => `${property} ${reason}`), ...missing];
      // For a failure with a property the engine prints the property's value, also where that is a secret.
      return { inputs: toEngine(inputs), failures: reasons.map((reason) => ({ property: "", reason })) };
    },

    async diff(_id, olds: Bag, news: Bag) {
      const { changes, replaces } = lifecycle.diff(
        withoutProvider(olds) as State,
        withoutProvider(news) as Inputs,
        plan,
      );
      return { changes, replaces: [...replaces] };
    },

    async create(inputs: Bag) {
      try {
        const { id, state } = await lifecycle.create(connect(), withoutProvider(inputs) as Inputs);
        return { id, outs: plain(state) };
      } catch (e) {
        if (!isPartialCreate(e)) throw e;
        // With an id the engine keeps the resource, with these properties, as one that has to be dealt with.
        throw Object.assign(new Error(e.message), {
          id: e.id,
          properties: { ...plain(e.state), [providerKey]: inputs[providerKey] },
          reasons: [e.message],
        });
      }
    },

    async read(id, olds?: Bag) {
      const found = await lifecycle.read(connect(), id, withoutProvider(olds ?? {}) as Partial<State>);
      if (!found) return { id: "" };
      return { id, props: plain(found.state), ...(found.inputs ? { inputs: plain(found.inputs) } : {}) };
    },

    async update(id, olds: Bag, news: Bag) {
      const [state, inputs] = [withoutProvider(olds) as State, withoutProvider(news) as Inputs];
      return { outs: plain(await lifecycle.update(connect(), id, state, inputs)) };
    },

    async delete(id, olds: Bag) {
      await lifecycle.delete(connect(), id, withoutProvider(olds) as State);
    },
  };
}

/** Without usable settings `check` fails, so what a plan says of the profile then decides nothing. */
const planOf = (settings: () => SettingsResult): Plan => ({
  now: () => new Date(),
  warn,
  can(operation) {
    const found = settings();
    return hasOperation("settings" in found ? found.settings.profile : "documented", operation);
  },
});

/** The properties without the stored provider string, their unknown markers turned into the lifecycle's. */
function withoutProvider(properties: Bag): Bag {
  const { [providerKey]: _, ...rest } = properties;
  return fromEngine(rest);
}

/** A copy that the engine's encoding takes: one with an `undefined` in it fails after the object was created. */
const plain = (value: object): Bag => JSON.parse(JSON.stringify(value));
