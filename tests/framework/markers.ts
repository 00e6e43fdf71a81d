import { type ArgsOf, defineResource, type OutputsOf } from "../../framework/definition";
import { connectBy, host } from "../../framework/host";
import type { ProviderPackage } from "../../framework/package";
import type { Inputs } from "../../framework/program/inputs";
import { providerClass } from "../../framework/program/providerClass";
import { type ReadableClass, resourceClass } from "../../framework/program/resourceClass";
import { provider } from "../../framework/provider";
import { integer, nonEmptyText } from "../../framework/shapes";

// A second provider, of an imaginary service that shows deployments in its charts. It has what the toy lacks: a value that the service
// chooses, and comparisons of its own.

export const own: ProviderPackage = {
  npm: "chart-markers",
  namespace: "charts",
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

const definition = defineResource()({
  name: "Marker",
  module: "v1/marker",
  properties: {
    /** Shown beside the line. */
    label: { is: nonEmptyText, required: true },
    /** Seconds since 1970. Default: the moment of the create. */
    start: { is: integer, computed: true },
  },
  insteadOfImport: "look it up with Marker.get",
});

/** The arguments of a `Marker`. */
export interface MarkerArgs extends ArgsOf<typeof definition> {}
export interface MarkerOutputs extends OutputsOf<typeof definition> {}

/** A line in every chart. */
export const Marker: ReadableClass<MarkerArgs, MarkerOutputs> = resourceClass(own, definition);

interface Live {
  readonly id: string;
  readonly label: string;
  readonly start: number;
}

const connect = connectBy(own, ({ address, password = "" }) => ({
  async call(method: string, id = "", body?: object): Promise<Live | undefined> {
    const request = { method, headers: { authorization: password }, ...(body && { body: JSON.stringify(body) }) };
    const response = await fetch(`${address}/${id}`, request);
    if (!response.ok && response.status !== 404) throw new Error(`${method}: ${response.status}`);
    return response.ok ? ((await response.json()) as Live) : undefined;
  },
}));

const hosted = host(connect, definition, {
  // A line that moves by less than a minute looks the same; further away it is another one.
  diff(_id, state, { label, start = state.start }) {
    const isMoved = Math.abs(Number(start) - Number(state.start)) >= 60;
    return { changes: isMoved || label !== state.label, replaces: isMoved ? ["start"] : [] };
  },
  async create({ call, now }, inputs) {
    const sent = { start: Math.floor(now().getTime() / 1_000), ...inputs };
    const made = await call("POST", "", sent);
    if (!made) throw new Error(`marker "${inputs.label}" was not created`);
    return { id: made.id, state: { ...inputs, start: made.start } };
  },
  async read({ call }, id, state) {
    const live = await call("GET", id);
    if (!live) return undefined;
    const { label, start } = live;
    const inputs = { key: state.key ?? id, label, start };
    return { inputs, state: { ...state, ...inputs } };
  },
  async update({ call }, id, state, inputs) {
    const { start = state.start } = inputs;
    await call("PUT", id, { ...inputs, start });
    return { ...state, ...inputs, ...(start !== undefined && { start }) };
  },
  delete: ({ call }, id) => call("DELETE", id).then(() => undefined),
});

export const markers = provider({ ...own, version: "0.0.1", connect, resources: { Marker: hosted }, functions: {} });
