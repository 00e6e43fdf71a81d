import { pick } from "../../framework/compare";
import { type ArgsOf, defineResource, type InputsOf, type OutputsOf } from "../../framework/definition";
import { connectBy, host } from "../../framework/host";
import { PartialCreate, UncertainCreate } from "../../framework/lifecycle";
import type { ProviderPackage } from "../../framework/package";
import type { Inputs } from "../../framework/program/inputs";
import { providerClass } from "../../framework/program/providerClass";
import { type ReadableClass, resourceClass } from "../../framework/program/resourceClass";
import { provider } from "../../framework/provider";
import { made, nonEmptyText, simple, text } from "../../framework/shapes";

// A whole provider, of a service that counts.

export const own: ProviderPackage = {
  npm: "toy-counters",
  namespace: "toy",
  settings: { address: { required: true }, password: { required: true, secret: true } },
};

/** The arguments of a `Provider`. */
export interface ProviderArgs {
  /** Address of the service. */
  address: Inputs<string>;
  /** Password of the account. */
  password: Inputs<string>;
}

/** A connection to one account. */
export class Provider extends providerClass<ProviderArgs>(own) {}

const number = simple<number>("must be a number", (value) => typeof value === "number");

interface Version0 {
  readonly record: { readonly length: number };
}

export const definition = defineResource()({
  name: "Counter",
  module: "v1/counter",
  properties: {
    /** The first number. */
    start: { is: number, required: true, replaces: true },
    /** Its name for people. */
    label: { is: nonEmptyText },
    /** The key that counts. */
    secretKey: { is: text, kind: "output", secret: true },
    record: { is: made<{ readonly labelLength: number; readonly seen: boolean }>(), kind: "record", plain: ["seen"] },
  },
  // Version 0 recorded only the length of the label, under another name.
  migrations: [({ record, ...state }: Version0) => ({ ...state, record: { labelLength: record.length, seen: false } })],
  insteadOfImport: "use the plugin",
  onImport: "its key cannot be read again",
});

/** The arguments of a `Counter`. */
export interface CounterArgs extends ArgsOf<typeof definition> {}
export interface CounterOutputs extends OutputsOf<typeof definition> {}

/** A number that only grows. */
export const Counter: ReadableClass<CounterArgs, CounterOutputs> = resourceClass(own, definition);

type Live = Pick<InputsOf<typeof definition>, "start" | "label"> & { readonly id: string; readonly secretKey?: string };
type Call = (method: string, id?: string, body?: object) => Promise<Live>;

const connect = connectBy(own, ({ address, password = "" }) => {
  const call: Call = async (method, id = "", body) => {
    const request = { method, headers: { authorization: password }, ...(body && { body: JSON.stringify(body) }) };
    const response = await fetch(`${address}/${id}`, request).catch((cause: Error) => {
      throw method === "POST" ? new UncertainCreate("no response: a counter may exist", { cause }) : cause;
    });
    if (!response.ok && response.status !== 404) throw new Error(`${method}: ${response.status}`);
    return (response.ok ? await response.json() : {}) as Live;
  };
  return { call };
});

const recordOf = (label = "") => ({ labelLength: label.length, seen: true });
export const hosted = host(connect, definition, {
  async create({ call }, inputs) {
    const { id, secretKey } = await call("POST", "", inputs);
    const state = { ...inputs, record: recordOf(inputs.label) };
    if (secretKey === undefined) throw new PartialCreate(`the key of ${id} never arrived`, id, state);
    return { id, state: { ...state, secretKey } };
  },
  async read({ call }, id, state) {
    const live = await call("GET", id);
    if (live.id === undefined) return undefined;
    const inputs = { key: state.key ?? id, start: live.start, ...(live.label && { label: live.label }) };
    return { inputs, state: { ...inputs, ...pick(state, ["secretKey"]), record: recordOf(live.label) } };
  },
  async update({ call }, id, state, inputs) {
    await call("PUT", id, inputs);
    return { ...inputs, ...pick(state, ["secretKey"]), record: recordOf(inputs.label) };
  },
  async delete({ call }, id) {
    await call("DELETE", id);
  },
});

export const toy = provider({
  ...own,
  version: "0.0.1",
  connect,
  resources: { Counter: hosted },
  functions: {},
});
