import type { dynamic } from "@pulumi/pulumi";
import { argumentsOf } from "../../framework/definition";
import { dynamicForm } from "../../framework/dynamic/adapter";
import { decodeValue, isMarkedSecret } from "../../framework/engineValues";
import { secretCandidates } from "../../framework/identity";
import { connect, type Hosted, type Service } from "../../provider/account/connection";
import { hostedAnnotation } from "../../provider/annotation/lifecycle";
import { hostedApiToken } from "../../provider/apiToken/lifecycle";
import { hostedDeploymentAnnotation } from "../../provider/deploymentAnnotation/lifecycle";
import type { ResourceName } from "../../provider/nouns";
import { hostedQueryGate } from "../../provider/queryGate/lifecycle";
import type { Form } from "../support/program";
import { startHost } from "../support/session";
import { type Failure, secret, startPlugin, urnOf } from "./plugin";

type Bag = Readonly<Record<string, unknown>>;

/** An object as the engine records it, secrets marked. */
interface Made {
  readonly id: string;
  readonly outputs: Bag;
}

/** The engine's knowledge of a resource besides its declaration. */
interface Before {
  readonly olds?: Bag;
  /** The earlier inputs that the option `ignoreChanges` puts in. */
  readonly copied?: Bag;
  /** Of generated names, where the form has one. */
  readonly seed?: string;
}

/** The hooks of either form, with what the program and the engine do around them. Values as on the wire. */
export interface EitherForm extends AsyncDisposable {
  /** Every warning and note. */
  readonly told: () => readonly string[];
  check(type: ResourceName, name: string, declared: Bag, more?: Before): Promise<{ inputs: Bag; reasons: string[] }>;
  create(type: ResourceName, name: string, inputs: Bag): Promise<Made | Failure>;
  diff(type: ResourceName, name: string, made: Made, inputs: Bag): Promise<{ changes: boolean; replaces: string[] }>;
  /** With the inputs that a refresh records. */
  read(type: ResourceName, name: string, made: Made, inputs: Bag): Promise<Made & { readonly inputs: Bag }>;
  update(type: ResourceName, name: string, made: Made, inputs: Bag): Promise<Bag>;
  delete(type: ResourceName, name: string, made: Made): Promise<void>;
}

const resources: Readonly<Record<ResourceName, Hosted>> = {
  ApiToken: hostedApiToken,
  Annotation: hostedAnnotation,
  DeploymentAnnotation: hostedDeploymentAnnotation,
  QueryGate: hostedQueryGate,
};

/** @param settings as an explicit provider's arguments */
export const startForm = (form: Form, settings: Readonly<Record<string, string>>): Promise<EitherForm> =>
  form === "native" ? startNative(settings) : startDynamic(settings);

async function startNative(settings: Readonly<Record<string, string>>): Promise<EitherForm> {
  const plugin = await startPlugin();
  await plugin.configure(settings);
  return {
    told: () => plugin.told.map(({ message }) => message),
    check: (type, name, declared, { copied, ...more } = {}) =>
      plugin.check(urnOf(name, type), { ...declared, ...copied }, more),
    create: (type, name, inputs) => plugin.create(urnOf(name, type), inputs),
    async diff(type, name, { id, outputs }, inputs) {
      const { changes, replaces } = await plugin.diff(urnOf(name, type), id, outputs, inputs);
      return { changes, replaces: [...replaces] };
    },
    read: (type, name, { id, outputs }, inputs) => plugin.read(urnOf(name, type), id, outputs, inputs),
    async update(type, name, { id, outputs }, inputs) {
      const updated = await plugin.update(urnOf(name, type), id, outputs, inputs);
      if ("message" in updated) throw new Error(String(updated.message));
      return updated as Bag;
    },
    delete: (type, name, { id, outputs }) => plugin.delete(urnOf(name, type), id, outputs),
    [Symbol.asyncDispose]: () => plugin[Symbol.asyncDispose](),
  };
}

async function startDynamic(settings: Readonly<Record<string, string>>): Promise<EitherForm> {
  const told: string[] = [];
  const tell = {
    warn: async (line: string) => void told.push(line),
    inform: async (line: string) => void told.push(line),
  };
  const host = startHost(settings, tell);
  const providers = new Map<ResourceName, Required<dynamic.ResourceProvider>>();
  for (const [type, resource] of Object.entries(resources)) {
    const provider = dynamicForm(connect, resource, host);
    providers.set(type as ResourceName, provider);
  }
  const providerOf = (type: ResourceName) => providers.get(type) as Required<dynamic.ResourceProvider>;
  return {
    told: () => told,
    async check(type, name, declared, { olds = {}, copied } = {}) {
      const news = { ...(await declare(resources[type], name, declared)), ...copied };
      const { inputs, failures } = await providerOf(type).check(plain(olds), plain(news));
      return { inputs: markAs(news, inputs as Bag), reasons: (failures ?? []).map(({ reason }) => reason) };
    },
    async create(type, _name, inputs) {
      try {
        const { id, outs } = await providerOf(type).create(plain(inputs));
        return { id, outputs: markAs(inputs, outs as Bag) };
      } catch (failure) {
        const { message, id, properties, reasons } = failure as FailedHook;
        if (id === undefined) return { message };
        return { message, kept: { id, properties: markAs(inputs, properties), inputs, reasons } };
      }
    },
    async diff(type, _name, { id, outputs }, inputs) {
      const { changes = false, replaces = [] } = await providerOf(type).diff(id, plain(outputs), plain(inputs));
      return { changes, replaces };
    },
    async read(type, _name, { id, outputs }, inputs) {
      const found = await providerOf(type).read(id, plain(outputs));
      const outs = markAs(inputs, (found.props ?? {}) as Bag);
      return { id: found.id ?? "", outputs: outs, inputs: markAs(inputs, (found.inputs as Bag | undefined) ?? inputs) };
    },
    async update(type, _name, { id, outputs }, inputs) {
      return markAs(inputs, (await providerOf(type).update(id, plain(outputs), plain(inputs))).outs as Bag);
    },
    delete: (type, _name, { id, outputs }) => providerOf(type).delete(id, plain(outputs)),
    async [Symbol.asyncDispose]() {
      await (host.connection.service() as Service).client.close();
    },
  };
}

interface FailedHook {
  readonly message: string;
  readonly id?: string;
  readonly properties: Bag;
  readonly reasons: string[];
}

/** Properties as the engine hands them to a dynamic provider: no mark of a secret is left. */
const plain = (bag: Bag): Bag => decodeValue(bag) as Bag;

/** The arguments with those that the program's class adds. */
function declare({ definition }: Hosted, name: string, declared: Bag): Bag {
  const known = argumentsOf(definition);
  const args = Object.fromEntries(Object.entries(declared).filter(([key]) => known.includes(key)));
  const hidden = secretCandidates(definition, args, isMarkedSecret).filter(([, value]) => holdsSecret(value));
  const secretInputs = [...new Set(hidden.map(([hint]) => hint))].sort();
  return { ...declared, ...(secretInputs.length > 0 ? { secretInputs } : {}), key: name };
}

const holdsSecret = (value: unknown): boolean =>
  isMarkedSecret(value) || (typeof value === "object" && value !== null && Object.values(value).some(holdsSecret));

/** Marks what was secret in the request, as the engine does with the responses of a provider that accepts no secrets. */
const markAs = (asked: Bag, answered: Bag): Bag =>
  Object.fromEntries(
    Object.entries(answered).map(([key, value]) => [
      key,
      holdsSecret(asked[key]) && !isMarkedSecret(value) ? secret(value) : value,
    ]),
  );
