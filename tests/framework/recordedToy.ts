import { appendFileSync } from "node:fs";
import { notKnown } from "../../framework/unknown";
import { toy } from "./toy";

/** A call of a hook, with all that the engine passes to it. */
export interface RecordedCall {
  readonly hook: string;
  readonly key: string;
  readonly values: readonly unknown[];
}

const write = (call: RecordedCall): void => {
  const text = JSON.stringify(call, (_, value) => (value === notKnown ? "(unknown)" : value));
  appendFileSync(process.env.TOY_CALLS ?? "/dev/null", `${text}\n`);
};

const { lifecycle } = toy.resources.Counter;

/** The toy, whose hooks write into the file TOY_CALLS what the engine calls them with. */
export const recordedToy = {
  ...toy,
  resources: {
    Counter: {
      ...toy.resources.Counter,
      lifecycle: {
        ...lifecycle,
        check(olds, news, plan) {
          write({ hook: "check", key: String(news.key), values: [olds, news] });
          return lifecycle.check(olds, news, plan);
        },
        diff(id, state, inputs, plan) {
          write({ hook: "diff", key: inputs.key, values: [id, state, inputs] });
          return lifecycle.diff(id, state, inputs, plan);
        },
        create(session, inputs, replaced) {
          write({ hook: "create", key: inputs.key, values: [inputs, replaced] });
          return lifecycle.create(session, inputs, replaced);
        },
        read(session, id, state) {
          write({ hook: "read", key: String(state.key), values: [id, state] });
          return lifecycle.read(session, id, state);
        },
        update(session, id, state, inputs) {
          write({ hook: "update", key: inputs.key, values: [id, state, inputs] });
          return lifecycle.update(session, id, state, inputs);
        },
        delete(session, id, state, planned) {
          write({ hook: "delete", key: state.key, values: [id, state, planned] });
          return lifecycle.delete(session, id, state, planned);
        },
      },
    } satisfies typeof toy.resources.Counter,
  },
} as unknown as typeof toy;
