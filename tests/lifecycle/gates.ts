import type { QueryGateInputs } from "../../provider/nouns/queryGate/definition";
import { hostedQueryGate } from "../../provider/nouns/queryGate/lifecycle";
import { connect } from "../support/client";
import { type NotedSession, sessionOf } from "../support/host";
import { type Behaviour, startService } from "../support/service";

/** The data for the tests' gates. */
export const gate: QueryGateInputs = {
  key: "errors",
  apl: "['web'] | where status >= 500 | summarize count()",
  startTime: "now-5m",
  endTime: "now",
  expect: { max: 5 },
  triggers: { image: "sha256:1" },
};

/** A behaviour that takes some milliseconds. */
export const slow =
  (ms: number, behaviour: Behaviour) =>
  (session: NotedSession): Behaviour =>
  (...request) => {
    session.pass(ms);
    return behaviour(...request);
  };

/** A gate on a service that answers as listed, one behaviour an attempt; the last one stays. */
export async function evaluate(change: Partial<QueryGateInputs>, ...behaviours: readonly Behaviour[]) {
  return evaluateTimed(change, ...behaviours.map((behaviour) => () => behaviour));
}

/** The same with behaviours that take time. */
export async function evaluateTimed(
  change: Partial<QueryGateInputs>,
  ...behaviours: readonly ((session: NotedSession) => Behaviour)[]
) {
  let session: NotedSession;
  await using service = await startService(
    ...behaviours.map(
      (behaviour): Behaviour =>
        (...request) =>
          behaviour(session)(...request),
    ),
  );
  await using client = connect(service.url);
  session = sessionOf(client);
  const outcome = await hostedQueryGate.lifecycle.create(session, { ...gate, ...change }).catch((e: Error) => e);
  const { calls, requests } = service;
  const failed = outcome instanceof Error ? outcome.message : undefined;
  return { state: outcome instanceof Error ? undefined : outcome.state, failed, session, calls, requests };
}

/** The failure of a gate that looks once. */
export const failureOf = async (change: Partial<QueryGateInputs>, behaviour: Behaviour) =>
  (await evaluate({ for: "1s", every: "1s", ...change }, behaviour)).failed;
