import { defineResource, type InputsOf, type StateOf } from "../../framework/definition";
import { Host, host } from "../../framework/host";
import { type Tell, UncertainCreate } from "../../framework/lifecycle";
import type { ProviderPackage } from "../../framework/package";
import { made, nonEmptyText, simple, text } from "../../framework/shapes";
import { Update } from "../../framework/update";

// A provider of a service that counts, whole: each counter has a start, a secret key and a count. It shows how much another
// provider writes, and proves that the framework knows no service.

export interface Counter {
  readonly start: number;
  readonly label: string;
  readonly secretKey: string;
}

/** The service: creates can be carried out without a response. */
export class CounterService {
  readonly counters = new Map<string, Counter>();
  losesResponses = false;

  create(start: number, label: string): { id: string; secretKey: string } {
    const id = `c${this.counters.size + 1}`;
    const secretKey = `key-of-${id}`;
    this.counters.set(id, { start, label, secretKey });
    if (this.losesResponses) throw new UncertainCreate(`no response: a counter "${label}" may exist`);
    return { id, secretKey };
  }
}

export const own: ProviderPackage = {
  npm: "toy-counters",
  namespace: "toy",
  settings: { keys: [], required: [], secret: [], findUnknown: () => [] },
};

const number = simple<number>("must be a number", (value) => typeof value === "number");

const definition = defineResource()({
  name: "Counter",
  module: "v1/counter",
  fields: {},
  properties: {
    /** The first number. */
    start: { is: number, required: true, replaces: true },
    /** The number that is added each time. */
    step: { is: number, replaces: true },
    /** Its name for people. */
    label: { is: nonEmptyText },
    /** The key that counts. */
    secretKey: { is: text, kind: "output", computed: true, secret: true },
    record: {
      is: made<{ readonly labelLength: number; readonly seen: boolean }>(),
      kind: "record",
      plain: ["seen"],
    },
  },
  insteadOfImport: "use the plugin",
  onImport: "its key cannot be read again",
});

type CounterInputs = InputsOf<typeof definition>;
type CounterState = StateOf<typeof definition>;

const recordOf = (label = "") => ({ labelLength: label.length, seen: true });

export const hosted = host<CounterInputs, CounterState, object, { readonly service: CounterService }, unknown>(
  definition,
  {
    async create({ service }, inputs) {
      const { id, secretKey } = service.create(inputs.start, inputs.label ?? "");
      return { id, state: { ...inputs, secretKey, record: recordOf(inputs.label) } };
    },
    async read({ service }, id, state) {
      const live = service.counters.get(id);
      if (!live) return undefined;
      const inputs = { key: state.key ?? id, start: live.start, label: live.label };
      return { inputs, state: { ...state, ...inputs, record: recordOf(live.label) } };
    },
    async update({ service }, id, state, inputs) {
      const live = service.counters.get(id) as Counter;
      service.counters.set(id, { ...live, label: inputs.label ?? "" });
      return { ...state, ...inputs, record: recordOf(inputs.label) };
    },
    async delete({ service }, id) {
      service.counters.delete(id);
    },
  },
);

export const createHost = (service: CounterService, tell: Tell) =>
  new Host(
    () => ({ problems: () => [], planning: () => ({}), service: () => ({ service }), run: (hook) => hook() }),
    tell,
    new Update(),
  );
