import type { Hints } from "../../framework/identity";
import { isPartialCreate } from "../../framework/lifecycle";
import type { Lifecycle } from "../../provider/account/connection";
import { annotation } from "../../provider/annotation/lifecycle";
import { apiToken } from "../../provider/apiToken/lifecycle";
import { hostedDeploymentAnnotation } from "../../provider/deploymentAnnotation/lifecycle";
import { hostedQueryGate } from "../../provider/queryGate/lifecycle";
import type { EventDatasets, Profile } from "../../sdk";
import type { NotedSession } from "../support/session";

/** An operation of a resource. One kind of its requests meets the fault. */
export interface LifecycleOperation {
  /** The name in the documentation. */
  readonly name: string;
  readonly profile: Profile;
  /** The requests that meet the fault, as "POST /v2/tokens"; a `*` stands for an id. */
  readonly request: string;
  /** Whether the response to that request has no body. */
  readonly withoutBody?: boolean;
  /** Resolves to the result, in a word or two. */
  readonly run: (session: NotedSession, direct: EventDatasets) => Promise<string>;
}

const named = { name: "ci-0a1b2c3", key: "ci", orgCapabilities: { users: ["read"] } } as const;
const marker = { datasets: ["web"], type: "deploy", title: "1.4", time: "2026-11-21T10:00:00Z", key: "ci" } as const;
const deployed = {
  datasets: ["web"],
  type: "deploy",
  title: "1.4",
  startedAt: "2026-11-21T10:00:00Z",
  trigger: "1.4",
  key: "ci",
} as const;
const gate = {
  key: "ci",
  apl: "web | count",
  startTime: "2026-11-20T00:00:00Z",
  endTime: "2026-11-21T00:00:00Z",
  expect: { max: 5 },
  every: "1s",
  for: "2s",
  triggers: { deploy: 1 },
} as const;

let unique = 0;
/** A new name for every cell, because the cells share a service. */
const withName = () => ({ ...named, name: `ci-${(unique++).toString(16).padStart(7, "0")}` });

async function createToken(session: NotedSession, inputs: Parameters<(typeof apiToken)["create"]>[1]): Promise<string> {
  return apiToken.create(session, inputs).then(
    ({ state }) => (state.token === undefined ? "created without a secret" : "created"),
    (failure: Error) => {
      if (isPartialCreate(failure)) return "tracked as lost";
      return /may exist/.test(failure.message) ? "may exist" : "failed";
    },
  );
}

/** The state after a create without a response. */
const mayExist = (failure: Error): string => (/may exist/.test(failure.message) ? "may exist" : "failed");

/** A managed object, created without the fault. */
const createManaged = <Inputs extends Hints, State extends Inputs>(
  lifecycle: Lifecycle<Inputs, State>,
  session: NotedSession,
  direct: EventDatasets,
  inputs: Inputs,
) => lifecycle.create({ ...session, client: direct }, inputs);

const reportKept = () => "kept";

/** A token that was not created only now, and has another one beside it. */
const settled = <State extends object>(state: State): State => ({
  ...state,
  ...("evidence" in state && {
    evidence: String(state.evidence).replace(/^\S+ (\w+).*/, "2026-01-01T00:00:00Z $1 t0"),
  }),
});

export const lifecycleOperations: readonly LifecycleOperation[] = [
  {
    name: "ApiToken: create, generated name",
    profile: "documented",
    request: "POST /v2/tokens",
    run: (session) => createToken(session, withName()),
  },
  {
    name: "ApiToken: create, chosen name",
    profile: "documented",
    request: "POST /v2/tokens",
    run: (session) => createToken(session, { ...withName(), chosenName: true }),
  },
  {
    name: "ApiToken: read",
    profile: "documented",
    request: "GET /v2/tokens/*",
    run: async (session, direct) => {
      const { id, state } = await createManaged(apiToken, session, direct, withName());
      return apiToken.read(session, id, settled(state)).then((found) => (found ? "found" : "gone"), reportKept);
    },
  },
  {
    name: "ApiToken: read of one that is gone",
    profile: "extended",
    request: "GET /v2/tokens",
    run: async (session, direct) => {
      const { id, state } = await createManaged(apiToken, session, direct, withName());
      await direct.tokens.delete(id);
      return apiToken.read(session, id, settled(state)).then((found) => (found ? "found" : "gone"), reportKept);
    },
  },
  {
    name: "ApiToken: delete",
    profile: "extended",
    request: "DELETE /v2/tokens/*",
    withoutBody: true,
    run: async (session, direct) => {
      const { id, state } = await createManaged(apiToken, session, direct, withName());
      return apiToken.delete(session, id, state).then(() => "deleted", reportKept);
    },
  },
  {
    name: "Annotation: create",
    profile: "documented",
    request: "POST /v2/annotations",
    run: (session) => annotation.create(session, marker).then(() => "created", mayExist),
  },
  {
    name: "Annotation: read",
    profile: "extended",
    request: "GET /v2/annotations/*",
    run: async (session, direct) => {
      const { id, state } = await createManaged(annotation, session, direct, marker);
      return annotation.read(session, id, state).then((found) => (found ? "found" : "gone"), reportKept);
    },
  },
  {
    name: "Annotation: update",
    profile: "extended",
    request: "PUT /v2/annotations/*",
    run: async (session, direct) => {
      const { id, state } = await createManaged(annotation, session, direct, marker);
      return annotation.update(session, id, state, { ...marker, title: "1.5" }).then(() => "updated", reportKept);
    },
  },
  {
    name: "Annotation: delete",
    profile: "extended",
    request: "DELETE /v2/annotations/*",
    withoutBody: true,
    run: async (session, direct) => {
      const { id, state } = await createManaged(annotation, session, direct, marker);
      return annotation.delete(session, id, state).then(() => "deleted", reportKept);
    },
  },
  {
    name: "DeploymentAnnotation",
    profile: "documented",
    request: "POST /v2/annotations",
    run: (session) =>
      hostedDeploymentAnnotation.lifecycle.create(session, deployed).then(
        ({ state }) => (state.recorded === true ? "created" : state.recorded === "unknown" ? "may exist" : "waits"),
        () => "failed",
      ),
  },
  {
    name: "DeploymentAnnotation, required",
    profile: "documented",
    request: "POST /v2/annotations",
    run: (session) =>
      hostedDeploymentAnnotation.lifecycle
        .create(session, { ...deployed, required: true })
        .then(() => "created", mayExist),
  },
  {
    name: "QueryGate",
    profile: "documented",
    request: "POST /v1/datasets/_apl",
    run: (session) =>
      hostedQueryGate.lifecycle.create(session, gate).then(
        () => "passed",
        () => "stopped",
      ),
  },
];
