import { randomBytes } from "node:crypto";
import { host } from "../../framework/host";
import type { Bag, CheckFailure } from "../../framework/lifecycle";
import { hasUnknown } from "../../framework/unknown";
import { parseDuration } from "../../values/duration";
import type { Planning, Service } from "../account/connection";
import { type QueryGateInputs, type QueryGateState, queryGateDefinition } from "./definition";
import { defaultLimit, evaluate } from "./evaluation";

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

/** Durations that do not go together. */
function checkDurations(news: Bag): CheckFailure[] {
  const read = (key: string, otherwise: string) =>
    hasUnknown(news[key]) ? undefined : parseDuration(String(news[key] ?? otherwise));
  const durations = { every: read("every", "0s"), for: read("for", defaultLimit), settle: read("settle", "0s") };
  const inMonths = Object.entries(durations).filter(([, duration]) => (duration?.months ?? 0) > 0);
  if (inMonths.length > 0) return inMonths.map(([property]) => ({ property, reason: "must not be counted in months" }));
  const { milliseconds: limit = Number.POSITIVE_INFINITY } = durations.for ?? {};
  const named = `for${news.for === undefined ? ` (${defaultLimit})` : ""}`;
  const { every, settle } = durations;
  return [
    ...(every && every.milliseconds > limit ? [{ property: "every", reason: `must not be longer than ${named}` }] : []),
    // The value is first seen when the first query has been answered, so it cannot hold for all of the time.
    ...(settle && settle.milliseconds >= limit
      ? [{ property: "settle", reason: `must be shorter than ${named}` }]
      : []),
  ];
}
