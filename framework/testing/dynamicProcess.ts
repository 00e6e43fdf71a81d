import type { dynamic } from "@pulumi/pulumi";
import { type JavaScriptValue, Struct } from "google-protobuf/google/protobuf/struct_pb";
import { dynamicForm } from "../dynamic/adapter";
import { holdsSecret, isMarkedSecret } from "../engineValues";
import type { Configuration, Host } from "../host";
import { keyOfUrn, secretCandidates, secretsOfAll } from "../identity";
import type { Bag } from "../lifecycle";
import { dynamicToken, providerKey, storedProvider } from "../package";
import type { Provider } from "../provider";
import { type About, markAs, PartialFailure, type Process, reveal } from "./process";

type Form = Required<dynamic.ResourceProvider>;

/**
 * The process of dynamic providers: between the engine and the form's module it does what the host in `@pulumi/pulumi` does
 * (`cmd/dynamic-provider/index.js`), and what the engine does for a provider that takes no secrets (`resource/plugin/provider_plugin.go`).
 */
export function dynamicProcess(provider: Provider, configuration: Configuration, host: Host): Process {
  const forms = new Map<string, Promise<Form>>();
  const load = async ({ definition }: About): Promise<Form> => {
    const resource = Object.values(provider.resources).find((one) => one.definition === definition);
    if (!resource) throw new Error(`${definition.name} is no resource of this provider`);
    const form = dynamicForm(provider.connect, resource, host);
    await form.configure({ config: configuration as dynamic.Config });
    return form;
  };
  const formOf = (about: About) => {
    const form = forms.get(about.definition.name) ?? load(about);
    forms.set(about.definition.name, form);
    return form;
  };
  return {
    tokenOf: ({ name }) => dynamicToken(provider, name),
    declare: ({ urn, definition }, args, { retainOnDelete }) => {
      const hidden = secretCandidates(definition, args, isMarkedSecret).filter(([, value]) => holdsSecret(value));
      const seesOptions = Object.hasOwn(definition.properties, "deleteOptions");
      return {
        ...args,
        key: keyOfUrn(urn),
        ...secretsOfAll({ secretInputs: hidden.map(([name]) => name) }),
        ...(retainOnDelete && seesOptions && { deleteOptions: ["retainOnDelete"] }),
        [providerKey]: storedProvider(provider, definition),
      };
    },
    async check(about, olds, news) {
      const form = await formOf(about);
      const { inputs = {}, failures = [] } = await form.check(send(olds ?? {}), send(news));
      const received = receive({ ...inputs, [providerKey]: news[providerKey] });
      return { inputs: markAs(news, received), reasons: failures.map(({ reason }) => reason) };
    },
    async diff(about, { id, outputs }, news) {
      const { changes = false, replaces = [] } = await (await formOf(about)).diff(id, send(outputs), send(news));
      return { changes, replaces, changed: [] };
    },
    async create(about, inputs, isPreview) {
      // Such a provider is not asked in a preview: the outputs are the inputs, and all others are unknown.
      if (isPreview) return { id: "", outputs: inputs };
      const { id, outs } = await (await formOf(about)).create(send(inputs)).catch(keepPartial(inputs));
      return { id, outputs: markAs(inputs, receive(withProvider(outs, inputs))) };
    },
    async read(about, { id, inputs, outputs }) {
      const known = Object.keys(outputs).length > 0 ? outputs : inputs;
      const found = await (await formOf(about)).read(id, send(known));
      if (!found.id) return undefined;
      return {
        id: found.id,
        outputs: markAs(outputs, receive(withProvider(found.props, known))),
        ...(found.inputs && { inputs: markAs(inputs, receive(withProvider(found.inputs, known))) }),
      };
    },
    async update(about, { id, outputs }, news, isPreview) {
      if (isPreview) return news;
      const { outs } = await (await formOf(about)).update(id, send(outputs), send(news)).catch(keepPartial(news));
      return markAs(news, receive(withProvider(outs, news)));
    },
    async delete(about, { id, outputs }) {
      await (await formOf(about)).delete(id, send(outputs));
    },
    close: async () => undefined,
  };
}

const send = (values: Bag): Bag => receive(reveal(values) as Bag);

/** Values as a message holds them. @throws Error for one that no message can hold */
const receive = (values: object): Bag =>
  Struct.fromJavaScript(values as Record<string, JavaScriptValue>).toJavaScript() as Bag;

const withProvider = (values: object = {}, { [providerKey]: stored }: Bag): object => ({
  ...values,
  [providerKey]: stored,
});

interface Kept extends Error {
  readonly id?: string;
  readonly properties?: object;
}

const keepPartial =
  (inputs: Bag) =>
  (failure: Kept): never => {
    if (!failure.id) throw failure;
    throw new PartialFailure(failure.message, failure.id, markAs(inputs, receive(failure.properties ?? {})));
  };
