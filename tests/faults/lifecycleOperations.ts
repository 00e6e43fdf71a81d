import type { Hints } from "../../framework/identity";
import { isPartialCreate } from "../../framework/lifecycle";
import type { Lifecycle } from "../../provider/account/connection";
import { annotation } from "../../provider/annotation/lifecycle";
import { apiToken } from "../../provider/apiToken/lifecycle";
import { hostedDeploymentAnnotation } from "../../provider/deploymentAnnotation/lifecycle";
import { hostedQueryGate } from "../../provider/queryGate/lifecycle";
import type { EventDatasets, Profile } from "../../sdk";
import { gate, type NotedSession } from "../support/session";

/** An operation of a resource. One kind of its requests meets the fault. */
export interface LifecycleOperation {
  /** The name in the documentation. */
  readonly name: string;
  readonly profile: Profile;
  /** The requests that meet the fault, as "POST /v2/tokens"; a `*` stands for an id. */
  readonly request: string;
  /** Resolves to the result, in a word or two. `direct` does not meet the fault. */
  readonly run: (session: NotedSession, direct: EventDatasets) => Promise<string>;
}

const own = { key: "ci", datasets: ["web"], type: "deploy", title: "1.4" } as const;
const marker = { ...own, time: "2026-11-21T10:00:00Z" };
const deployed = { ...own, startedAt: "2026-11-21T10:00:00Z", trigger: "1.4" };

let unique = 0;
/** A token with a new name for every cell, because the cells share a service. */
const newToken = () => ({
  name: `ci-${(unique++).toString(16).padStart(7, "0")}`,
  key: "ci",
  orgCapabilities: { users: ["read"] },
});

/** The result of a create that failed. */
const describeFailure = ({ message }: Error): string => (/may exist/.test(message) ? "may exist" : "failed");

const createToken = (session: NotedSession, more: object = {}): Promise<string> =>
  apiToken.create(session, { ...newToken(), ...more }).then(
    ({ state }) => (state.token === undefined ? "created without a secret" : "created"),
    (failure) => (isPartialCreate(failure) ? "tracked as lost" : describeFailure(failure)),
  );

/** An operation on an object that was created without the fault. If it fails, the object stays as it is. */
const onManaged =
  <Inputs extends Hints, State extends Inputs>(
    lifecycle: Lifecycle<Inputs, State>,
    inputs: () => Inputs,
    operate: (session: NotedSession, id: string, state: State, direct: EventDatasets) => Promise<string>,
  ): LifecycleOperation["run"] =>
  async (session, direct) => {
    const { id, state } = await lifecycle.create({ ...session, client: direct }, inputs());
    return operate(session, id, state, direct).catch(() => "kept");
  };

/** A token that was not created only now, and has another one beside it. */
const settled = <State extends object>(state: State): State => ({
  ...state,
  ...("evidence" in state && {
    evidence: String(state.evidence).replace(/^\w+ (\w+).*/, "t841c0 $1 t0"),
  }),
});

const nameResult = (found: object | undefined) => (found ? "found" : "gone");

const operation = (
  name: string,
  profile: Profile,
  request: string,
  run: LifecycleOperation["run"],
): LifecycleOperation => ({ name, profile, request, run });

export const lifecycleOperations: readonly LifecycleOperation[] = [
  operation("ApiToken: create, generated name", "documented", "POST /v2/tokens", (session) => createToken(session)),
  operation("ApiToken: create, chosen name", "documented", "POST /v2/tokens", (session) =>
    createToken(session, { chosenName: true }),
  ),
  operation(
    "ApiToken: read",
    "documented",
    "GET /v2/tokens/*",
    onManaged(apiToken, newToken, (session, id, state) => apiToken.read(session, id, settled(state)).then(nameResult)),
  ),
  operation(
    "ApiToken: read of one that is gone",
    "extended",
    "GET /v2/tokens",
    onManaged(apiToken, newToken, async (session, id, state, direct) => {
      await direct.tokens.delete(id);
      return apiToken.read(session, id, settled(state)).then(nameResult);
    }),
  ),
  operation(
    "ApiToken: delete",
    "extended",
    "DELETE /v2/tokens/*",
    onManaged(apiToken, newToken, (session, id, state) => apiToken.delete(session, id, state).then(() => "deleted")),
  ),
  operation("Annotation: create", "documented", "POST /v2/annotations", (session) =>
    annotation.create(session, marker).then(() => "created", describeFailure),
  ),
  operation(
    "Annotation: read",
    "extended",
    "GET /v2/annotations/*",
    onManaged(
      annotation,
      () => marker,
      (session, id, state) => annotation.read(session, id, state).then(nameResult),
    ),
  ),
  operation(
    "Annotation: update",
    "extended",
    "PUT /v2/annotations/*",
    onManaged(
      annotation,
      () => marker,
      (session, id, state) => annotation.update(session, id, state, { ...marker, title: "1.5" }).then(() => "updated"),
    ),
  ),
  operation(
    "Annotation: delete",
    "extended",
    "DELETE /v2/annotations/*",
    onManaged(
      annotation,
      () => marker,
      (session, id, state) => annotation.delete(session, id, state).then(() => "deleted"),
    ),
  ),
  operation("DeploymentAnnotation", "documented", "POST /v2/annotations", (session) =>
    hostedDeploymentAnnotation.lifecycle.create(session, deployed).then(
      ({ state }) => (state.recorded === true ? "created" : state.recorded === "unknown" ? "may exist" : "waits"),
      () => "failed",
    ),
  ),
  operation("DeploymentAnnotation, required", "documented", "POST /v2/annotations", (session) =>
    hostedDeploymentAnnotation.lifecycle
      .create(session, { ...deployed, required: true })
      .then(() => "created", describeFailure),
  ),
  operation("QueryGate", "documented", "POST /v1/datasets/_apl", (session) =>
    hostedQueryGate.lifecycle.create(session, { ...gate, every: "1s", for: "2s" }).then(
      () => "passed",
      () => "stopped",
    ),
  ),
];
