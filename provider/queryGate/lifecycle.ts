import { randomBytes } from "node:crypto";
import { changedInputs, inputsOf } from "../../framework/definition";
import { host } from "../../framework/host";
import type { Lifecycle } from "../account/connection";
import { type QueryGateInputs, type QueryGateState, queryGateDefinition } from "./definition";
import { evaluate } from "./evaluation";
import { checkDurations } from "./inputs";

export type { QueryGateInputs, QueryGateState } from "./definition";

const compared = inputsOf(queryGateDefinition).filter((key) => key !== "key" && key !== "secretInputs");

export const queryGate: Lifecycle<QueryGateInputs, QueryGateState> = {
  check(_olds, news) {
    return { inputs: news as unknown as QueryGateInputs, failures: checkDurations(news) };
  },

  // In place: an evaluation that fails keeps the old state, which differs from the inputs, so the next update tries again.
  diff(_id, state, inputs) {
    return { changes: changedInputs(queryGateDefinition, compared, state, inputs).length > 0, replaces: [] };
  },

  async create(session, inputs) {
    const state = await evaluate(session, inputs);
    return { id: `gate-${randomBytes(6).toString("hex")}`, state };
  },

  // There is nothing to look at: what is recorded is that it passed.
  async read(_session, id, state) {
    if (state.apl === undefined) throw new Error(`${id} is a gate, which cannot be looked up.`);
    return { state: state as QueryGateState };
  },

  update: (session, _id, _state, inputs) => evaluate(session, inputs),

  async delete() {},
};

export const hostedQueryGate = host(queryGateDefinition, queryGate);
