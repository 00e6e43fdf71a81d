import { randomBytes } from "node:crypto";
import { pick } from "../../../framework/compare";
import { host } from "../../../framework/host";
import { hasSecretInput, logicalNameOf } from "../../../framework/identity";
import { hasUnknown } from "../../../framework/unknown";
import { evaluate, judgeDurations } from "../../../gate";
import { toTheSecond } from "../../../values/instant";
import { connect, type Session } from "../../shared/account/connection";
import { expectation } from "./bounds";
import { type QueryGateInputs, type QueryGateState, queryGateDefinition } from "./definition";

// Changes are made in place: an evaluation that fails keeps the old state, which differs from the inputs, so the next update tries
// again. There is nothing to read: what is recorded is that the gate passed.
export const hostedQueryGate = host(connect, queryGateDefinition, {
  check(_olds, news) {
    const inputs = news as unknown as QueryGateInputs;
    return { inputs, failures: hasUnknown(pick(inputs, [...durations])) ? [] : judgeDurations(inputs) };
  },

  async create(session, inputs) {
    const state = await runGate(session, inputs);
    return { id: `gate-${randomBytes(6).toString("hex")}`, state };
  },

  update: (session, _id, _state, inputs) => runGate(session, inputs),

  async delete() {},
});

const durations = ["every", "for", "settle"] as const;

/** @throws Error with the query, the last value and the bounds if the gate does not pass */
async function runGate(session: Session, inputs: QueryGateInputs): Promise<QueryGateState> {
  const { key, apl, startTime, endTime, expect, noData = "fail", warnings = "show" } = inputs;
  const title = `gate "${logicalNameOf(key)}"`;
  const [unusable] = expectation.judge(expect);
  if (unusable) throw new Error(`${title}: the bounds cannot be used: ${unusable.at ?? "expect"} ${unusable.reason}`);
  const outcome = await evaluate(
    {
      ...session,
      report: ({ attempts, text }) => session.inform(`${title}, attempt ${attempts}: ${text}`),
      // When the user cancels the update, it rejects with a message about a timer.
      sleep: (ms) =>
        session.sleep(ms).catch((cause) => {
          throw new Error(`${title}: the update was cancelled before the gate passed`, { cause });
        }),
    },
    {
      title,
      apl,
      period: () => ({ startTime, endTime }),
      bounds: expect,
      durations: pick(inputs, [...durations]),
      noData,
      warnings,
      isSecret: hasSecretInput(inputs),
    },
  );
  if (!outcome.passes) throw new Error(outcome.text, { cause: outcome.cause });
  return { ...inputs, ...pick(outcome, ["value", "attempts"]), passedAt: toTheSecond(session.now()) };
}
