import { randomBytes } from "node:crypto";
import { host } from "../../framework/host";
import type { Planning, Service } from "../account/connection";
import { type QueryGateInputs, type QueryGateState, queryGateDefinition } from "./definition";
import { evaluate } from "./evaluation";
import { checkDurations } from "./inputs";

// Changes are made in place: an evaluation that fails keeps the old state, which differs from the inputs, so the next update tries
// again. There is nothing to read: what is recorded is that the gate passed.
export const hostedQueryGate = host<QueryGateInputs, QueryGateState, Planning, Service, unknown>(queryGateDefinition, {
  check: (_olds, news) => ({ inputs: news as unknown as QueryGateInputs, failures: checkDurations(news) }),

  async create(session, inputs) {
    const state = await evaluate(session, inputs);
    return { id: `gate-${randomBytes(6).toString("hex")}`, state };
  },

  update: (session, _id, _state, inputs) => evaluate(session, inputs),

  async delete() {},
});
