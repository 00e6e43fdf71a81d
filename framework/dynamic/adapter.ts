import { type dynamic, runtime } from "@pulumi/pulumi";
import { requireNode } from "../../values/nodeVersion";
import { withoutStacks } from "../../values/printable";
import type { ResourceDefinition } from "../definition";
import { EngineLog } from "../engineLog";
import { decode, encode } from "../engineValues";
import { engineAddress, exitWithEngine } from "../engineWatch";
import { Hooks } from "../hooks";
import { type Connect, Host, type HostedResource } from "../host";
import { type Bag, isPartialCreate } from "../lifecycle";
import { providerKey, withoutProvider } from "../package";
import { isAlwaysSecret, isCurrent, join, type Split, secretPartsOf, split } from "../record";
import { scopeOf } from "../update";

// Before a module of a state loads undici, which fails in its own way on an older Node.js.
requireNode();
exitWithEngine();

const hosts = new WeakMap<Connect, Host>();

/**
 * Makes the module that the states of a resource name: it translates between the engine's host of dynamic providers and the
 * hooks of the resource. Each module has only its own resource, so that a process does not load the others.
 * @param host all kinds of resources of one connection share it: what a hook learns about the update or the account holds for
 *   all of them
 */
export function dynamicForm<Planning extends object, Service extends object>(
  resource: HostedResource<Planning, Service>,
  host = hosts.get(resource.connect) ?? new Host(resource.connect, new EngineLog(connectEngine).about("")),
): Required<dynamic.ResourceProvider> {
  const { connect, definition } = resource;
  hosts.set(connect, host);
  const hooks = new Hooks(resource, host);
  const inputsOf = (properties: Bag) => withoutProvider(decode(properties));
  const stateOf = (properties: Bag) => join(definition, decode(properties));
  const outputsOf = (state: object) => encodeSplit(definition, split(definition, state as Bag));

  return withQuietHooks({
    async configure({ config }) {
      host.configure(config);
    },

    async check(olds: Bag | undefined, news: Bag) {
      const { inputs, reasons } = await hooks.check(inputsOf(olds ?? {}), inputsOf(news), host.tell);
      // The engine marks the declared secrets, but no other values: a transform can add one in plain text. For a failure with a
      // property it prints the value of the property, even a secret one.
      const { values, secrets } = split(definition, inputs);
      const isOwn = (name: string) =>
        news[name] === undefined || isAlwaysSecret(definition.properties[name], inputs[name]);
      const own = secrets.filter(isOwn);
      return {
        inputs: encodeSplit(definition, { values, secrets: own }),
        failures: reasons.map((reason) => ({ property: "", reason })),
      };
    },

    async diff(id, olds: Bag, news: Bag) {
      const { changes, replaces } = await hooks.diff(id, () => stateOf(olds), inputsOf(news), host.tell);
      // The SDK's host reads and deletes with the provider in the outputs: a resource that was taken over is recorded with this one.
      const isForeign =
        olds[providerKey] !== news[providerKey] && host.update.isDeclared(scopeOf(definition.name, news.key));
      return { changes: changes || isForeign, replaces: [...replaces] };
    },

    async create(inputs: Bag) {
      try {
        const { id, state } = await hooks.create(inputsOf(inputs));
        return { id, outs: outputsOf(state) };
      } catch (e) {
        throw asKept(outputsOf, e, inputs);
      }
    },

    async read(id, olds: Bag = {}) {
      const recorded = stateOf(olds);
      const found = await hooks.read(id, recorded);
      if (!found) return { id: "" };
      // The lifecycle passed the state on. The engine knows which of its values are secret.
      if (found.state === recorded && isCurrent(definition, olds)) return { id, props: olds };
      return { id, props: outputsOf(found.state), ...(found.inputs && { inputs: outputsOf(found.inputs) }) };
    },

    async update(id, olds: Bag, news: Bag) {
      try {
        return { outs: outputsOf(await hooks.update(id, stateOf(olds), inputsOf(news))) };
      } catch (e) {
        throw asKept(outputsOf, e, news);
      }
    },

    async delete(id, olds: Bag) {
      await hooks.delete(id, stateOf(olds));
    },
  });
}

const withQuietHooks = (form: Required<dynamic.ResourceProvider>): typeof form =>
  Object.fromEntries(Object.entries(form).map(([name, hook]) => [name, withoutStacks(hook)])) as unknown as typeof form;

/**
 * Of an object with a secret part only that part is marked. Engine 3.276 drops the mark of an object whose input is an object without
 * one, as a transform can add it, and keeps the marks inside (`annotateSecrets` in the engine's `resource/plugin/provider_plugin.go`).
 */
function encodeSplit({ properties }: ResourceDefinition, { values, secrets }: Split): Bag {
  const inParts = secrets.flatMap((name) => {
    const parts = secretPartsOf(properties[name], values[name]);
    return parts.length > 0 ? [[name, encode(values[name] as Bag, parts)] as const] : [];
  });
  return { ...encode(values, secrets), ...Object.fromEntries(inParts) };
}

/** The host connects nothing of the SDK to the engine. Its options are those of all dynamic providers of the process: they stay. */
function connectEngine() {
  const address = engineAddress();
  const { PULUMI_NODEJS_ORGANIZATION: organization = "" } = process.env;
  if (address !== undefined)
    runtime.resetOptions(runtime.getProject(), runtime.getStack(), -1, address, "", runtime.isDryRun(), organization);
  return runtime.getEngine();
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
