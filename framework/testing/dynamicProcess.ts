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
export async function dynamicProcess(provider: Provider, configuration: Configuration, host: Host): Promise<Process> {
  const forms = new Map<string, Form>();
  for (const resource of Object.values(provider.resources)) {
    const form = dynamicForm(resource, host);
    await form.configure({ config: configuration as dynamic.Config });
    forms.set(resource.definition.name, form);
  }
  const formOf = ({ definition: { name } }: About): Form => {
    const form = forms.get(name);
    if (!form) throw new Error(`${name} is no resource of this provider`);
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
      const { inputs = {}, failures = [] } = await formOf(about).check(send(olds ?? {}), send(news));
      return { inputs: receiveAs(news, inputs), reasons: failures.map(({ reason }) => reason) };
    },
    async diff(about, { id, outputs }, news) {
      const { changes = false, replaces = [] } = await formOf(about).diff(id, send(outputs), send(news));
      return { changes, replaces, changed: [] };
    },
    async create(about, inputs, isPreview) {
      // Such a provider is not asked in a preview: the outputs are the inputs, and all others are unknown.
      if (isPreview) return { id: "", outputs: inputs };
      const { id, outs } = await formOf(about).create(send(inputs)).catch(keepPartial(inputs));
      return { id, outputs: receiveAs(inputs, outs) };
    },
    async read(about, { id, inputs, outputs }) {
      const found = await formOf(about).read(id, send(outputs));
      if (!found.id) return undefined;
      return {
        id: found.id,
        outputs: receiveAs(outputs, found.props),
        ...(found.inputs && { inputs: receiveAs(inputs, found.inputs) }),
      };
    },
    async update(about, { id, outputs }, news, isPreview) {
      if (isPreview) return news;
      const { outs } = await formOf(about).update(id, send(outputs), send(news)).catch(keepPartial(news));
      return receiveAs(news, outs);
    },
    delete: (about, { id, outputs }) => formOf(about).delete(id, send(outputs)),
    close: async () => undefined,
  };
}

const send = (values: Bag): Bag => receive(reveal(values));

/** Values as a message holds them. @throws Error for one that no message can hold */
const receive = (values: object): Bag =>
  Struct.fromJavaScript(values as Record<string, JavaScriptValue>).toJavaScript() as Bag;

/** Values with the stored provider of those before, and with their marks of secrets. */
const receiveAs = (before: Bag, values: object = {}): Bag =>
  markAs(before, receive({ ...values, [providerKey]: before[providerKey] }));

interface Kept extends Error {
  readonly id?: string;
  readonly properties?: object;
}

const keepPartial =
  (inputs: Bag) =>
  (failure: Kept): never => {
    if (!failure.id) throw failure;
    throw new PartialFailure(failure.message, failure.id, receiveAs(inputs, failure.properties));
  };
