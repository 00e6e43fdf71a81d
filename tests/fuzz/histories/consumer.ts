import { defineResource, type InputsOf, type StateOf } from "../../../framework/definition";
import { type Connect, host } from "../../../framework/host";
import { text } from "../../../framework/shapes";

/** The name of the resource that has the secret of a token. */
export const consumerOf = (key: string): string => `consumer of ${key}`;

const definition = defineResource()({
  name: "Consumer",
  module: "v1/consumer",
  properties: { token: { is: text, required: true } },
  insteadOfImport: "declare it",
});

type Inputs = InputsOf<typeof definition>;
type State = StateOf<typeof definition>;

/** Their provider needs no settings. */
export const connectConsumers: Connect = () => ({ problems: [], service: () => ({}) });

/** Resources that take a token's secret. Those with the given names fail. */
export const consumers = (failing: () => readonly string[]) => {
  const take = (inputs: Inputs): State => {
    if (failing().includes(inputs.key)) throw new Error(`the ${inputs.key} failed`);
    return { ...inputs };
  };
  let count = 0;
  return host(connectConsumers, definition, {
    create: async (_session, inputs) => ({ state: take(inputs), id: `consumer ${++count}` }),
    update: async (_session, _id, _state, inputs) => take(inputs),
    delete: async () => undefined,
  });
};
